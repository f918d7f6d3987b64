import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, constants, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { createLineOutput } from "./line-output.ts";

let folder: string;
let pipe: string;
let reading: number;
let output: ReturnType<typeof createLineOutput>;
let dropped: number[];

/** A pipe that is open at both ends and not yet read. */
beforeEach(() => {
  folder = temporaryFolder();
  pipe = join(folder, "pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  reading = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  dropped = [];
  output = createLineOutput({ open: () => Bun.file(pipe).writer(), onDropped: (lines) => void dropped.push(lines) });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Reads until the last written line has arrived. */
async function readUntil(last: string): Promise<string[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of Bun.file(pipe).stream()) {
    text += decoder.decode(piece, { stream: true });
    if (text.endsWith(`${last}\n`)) break;
  }
  return text.trimEnd().split("\n");
}
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at} ${"x".repeat(200)}`);

test("lines stay in order, however late they are read", async () => {
  const written = lines(3_000);
  for (const line of written) output.write(line);
  expect(await readUntil(written.at(-1) as string)).toEqual(written);
  expect(dropped).toEqual([]);
  closeSync(reading);
});

test("unread lines are buffered up to a limit; further ones are counted and reported later", async () => {
  const written = lines(20_000);
  for (const line of written) output.write(line);
  const kept = readUntil("the last");
  await output.end(60_000);
  output.write("the last");
  const read = await kept;
  expect(read.slice(0, -1)).toEqual(written.slice(0, read.length - 1));
  expect(read.length).toBeLessThan(6_000);
  expect(dropped).toEqual([written.length - (read.length - 1)]);
  closeSync(reading);
});

test("ending waits for a reader only for the given time, and a closed reader is not an error", async () => {
  for (const line of lines(3_000)) output.write(line);
  await output.end(1);
  closeSync(reading);
  await output.end(60_000);
  output.write("to nobody");
});
