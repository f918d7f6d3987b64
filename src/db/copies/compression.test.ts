import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { compressFile, decompressed } from "./compression.ts";

/** Two zstd blocks, the second one short. */
const content = Buffer.concat([Buffer.alloc(2 ** 17, "page "), Buffer.from("the end of it")]);

let folder: string;
let compressed: Buffer;
beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder, "content");
  writeFileSync(file, content);
  await compressFile(file, `${file}.zst`, () => {});
  compressed = readFileSync(`${file}.zst`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `null` if the file is refused. */
async function outOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decompressed(pieces)) parts.push(part);
  } catch (error) {
    expect(error).toMatchObject({ message: "The compressed file is damaged or truncated." });
    return null;
  }
  return Buffer.concat(parts);
}

test("decompression restores the original, however the input is split", async () => {
  expect(await outOf([compressed])).toEqual(content);
  expect(await outOf(Array.from(compressed, (byte) => Uint8Array.of(byte)))).toEqual(content);
});

test("a truncated file is refused, wherever it ends", async () => {
  const cuts = Array.from({ length: compressed.length - 4 }, (_, index) => index + 4);
  for (const cut of cuts) expect(await outOf([compressed.subarray(0, cut)])).toBeNull();
});

test("a flipped bit is refused or does not change the content", async () => {
  let refused = 0;
  for (let bit = 4 * 8; bit < compressed.length * 8; bit += 1) {
    const damaged = Uint8Array.from(compressed);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const out = await outOf([damaged]);
    if (out === null) refused += 1;
    else expect(out.equals(content)).toBe(true);
  }
  expect(refused).toBeGreaterThan(compressed.length * 7);
});

test("trailing data is refused", async () => {
  expect(await outOf([compressed, Buffer.from("more")])).toBeNull();
});

test("an error of the reader is passed on unchanged", async () => {
  const failed = new TypeError("The connection was closed.");
  async function* failing() {
    yield compressed.subarray(0, 20);
    throw failed;
  }
  await expect(Array.fromAsync(decompressed(failing()))).rejects.toBe(failed);
});
