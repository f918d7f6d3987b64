import { closeSync, openSync, readSync } from "node:fs";

const chunkBytes = 2 ** 20;

/** A file's bytes, piece by piece. A piece is good until the next one is asked for. */
export function* chunksOf(file: string): Generator<Uint8Array> {
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let bytes = readSync(descriptor, chunk); bytes > 0; bytes = readSync(descriptor, chunk)) {
      yield chunk.subarray(0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}
