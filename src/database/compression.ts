import { createReadStream, createWriteStream } from "node:fs";
import { pipeline as pipe, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { OperatorError } from "../operator-error.ts";

/** What every compressed file begins with. */
const zstdMark = [0x28, 0xb5, 0x2f, 0xfd];

/** zstd's own choice. */
const level = 3;

/** Compresses a file into a new one, and answers its size and SHA-256. `onRead` hears how much has been read. */
export async function compressFile(
  file: string,
  target: string,
  onRead: (bytes: number) => void,
): Promise<{ bytes: number; sha256: string }> {
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  let read = 0;
  await pipeline(
    createReadStream(file, { highWaterMark: 2 ** 20 }),
    looking((piece) => {
      read += piece.length;
      onRead(read);
    }),
    createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
    looking((piece) => {
      hash.update(piece);
      bytes += piece.length;
    }),
    createWriteStream(target, { flags: "wx", mode: 0o600 }),
  );
  return { bytes, sha256: hash.digest("hex") };
}

function looking(at: (piece: Uint8Array) => void): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      at(piece);
      done(null, piece);
    },
  });
}

/** What is compressed comes out as it was, and anything else as it is. Throws `OperatorError` where it is damaged. */
export async function* decompressed(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { start, rest } = await begun(content);
  if (!zstdMark.every((byte, index) => start[index] === byte)) {
    yield start;
    yield* rest;
    return;
  }
  async function* whole() {
    yield start;
    // A piece of a file is good only until the next one is read, and the stream reads ahead.
    for await (const piece of rest) yield Buffer.from(piece);
  }
  try {
    yield* pipe(
      Readable.from(whole(), { objectMode: false }),
      createZstdDecompress(),
      () => {},
    ) as AsyncIterable<Buffer>;
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith("ZSTD_error")) throw error;
    throw new OperatorError("The compressed file is damaged or cut short.");
  }
}

/** As much of the beginning as shows what it is: a stream may come in pieces of one byte. */
async function begun(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const pieces = (async function* () {
    yield* content;
  })();
  let start = Buffer.alloc(0);
  while (start.length < zstdMark.length) {
    const next = await pieces.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return { start, rest: pieces };
}
