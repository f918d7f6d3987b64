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

/** Another process that has such a folder until its standard input ends. */
async function anotherProcess() {
  const worker = Bun.spawn([process.execPath, "-e", script, folder], { stdin: "pipe", stdout: "pipe" });
  const reader = worker.stdout.getReader();
  const { value } = await reader.read();
  return { worker, path: new TextDecoder().decode(value).trim() };
}

test("what a killed process left is removed by the next one", async () => {
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

test("what another process is at work on stays, and goes when that one ends", async () => {
  const { worker, path } = await anotherProcess();
  removeAbandoned(folder);
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([path]);
  worker.stdin.end();
  await worker.exited;
  expect(readdirSync(folder)).toEqual([]);
});

test("where nothing can be written none is left behind", async () => {
  // As on a full disk: a file may be made, and nothing goes into it.
  const full = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh"];
  const worker = Bun.spawn([...full, process.execPath, "-e", script, folder], { stdin: "ignore", stderr: "pipe" });
  expect(await new Response(worker.stderr).text()).toContain("SQLiteError");
  expect(await worker.exited).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test("what only looks like it stays", () => {
  mkdirSync(join(folder, ".latchkey-unfinished-mine"));
  writeFileSync(join(folder, ".latchkey-unfinished-file"), "");
  removeAbandoned(folder);
  expect(readdirSync(folder)).toHaveLength(2);
});
