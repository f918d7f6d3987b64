import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { makeUnfinishedFolder, removeAbandoned } from "./snapshot.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const script = `
  const { makeUnfinishedFolder } = await import("${join(import.meta.dir, "snapshot.ts")}");
  console.log(makeUnfinishedFolder(process.argv[1]).path);
  await Bun.stdin.text();`;

/** Another process that uses such a folder until its standard input ends. */
async function anotherProcess() {
  const worker = Bun.spawn([process.execPath, "-e", script, folder], { stdin: "pipe", stdout: "pipe" });
  const reader = worker.stdout.getReader();
  const { value } = await reader.read();
  return { worker, path: new TextDecoder().decode(value).trim() };
}

test("the next process removes what a killed one left", async () => {
  const { worker, path } = await anotherProcess();
  writeFileSync(join(path, "half"), "a database");
  worker.kill("SIGKILL");
  await worker.exited;
  expect(readdirSync(folder)).toHaveLength(1);
  const { path: next, remove } = makeUnfinishedFolder(folder);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([next]);
  remove();
  expect(readdirSync(folder)).toEqual([]);
});

test("files of a running process stay until it ends", async () => {
  const { worker, path } = await anotherProcess();
  removeAbandoned(folder);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([path]);
  worker.stdin.end();
  await worker.exited;
  expect(readdirSync(folder)).toEqual([]);
});

test("nothing is left behind if nothing can be written", async () => {
  // As on a full disk: files can be created but not written.
  const full = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh"];
  const worker = Bun.spawn([...full, process.execPath, "-e", script, folder], { stdin: "ignore", stderr: "pipe" });
  expect(await new Response(worker.stderr).text()).toContain("SQLiteError");
  expect(await worker.exited).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test("other files with similar names stay", () => {
  mkdirSync(join(folder, ".latchkey-unfinished-mine"));
  writeFileSync(join(folder, ".latchkey-unfinished-file"), "");
  removeAbandoned(folder);
  expect(readdirSync(folder)).toHaveLength(2);
});
