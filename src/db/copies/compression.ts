import { createReadStream, createWriteStream } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DecompressionStream, ReadableStream } from "node:stream/web";
import { constants, createZstdCompress } from "node:zlib";
import { OperatorError } from "../../core/operator-error.ts";
import { begun } from "../files.ts";

/** The first bytes of every compressed file. */
const zstdMark = [0x28, 0xb5, 0x2f, 0xfd];

/** Bun supports it; Node's types do not list it yet. */
const zstd = "zstd" as ConstructorParameters<typeof DecompressionStream>[0];

/** zstd's default. */
const level = 3;

/**
 * How large decompressed content may be: a base and a multiple of what was compressed. A database of a million keys is
 * 4 times as large as its backup, an empty one 36 times; a file of zeros can be 30,000 times as large.
 */
const decompressedMax = { baseBytes: 64 * 2 ** 20, times: 100 };

/** Compresses a file into a new one and returns its size and SHA-256. `onRead` receives the bytes read so far. */
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
    observing((piece) => {
      read += piece.length;
      onRead(read);
    }),
    createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
    observing((piece) => {
      hash.update(piece);
      bytes += piece.length;
    }),
    createWriteStream(target, { flags: "wx", mode: 0o600 }),
  );
  return { bytes, sha256: hash.digest("hex") };
}

function observing(at: (piece: Uint8Array) => void): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      at(piece);
      done(null, piece);
    },
  });
}

/**
 * Decompresses compressed content, and passes other content through. Throws `OperatorError` if it is damaged, or grows
 * more than any backup.
 */
export async function* decompressed(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { start, rest } = await begun(content, zstdMark.length);
  if (!zstdMark.every((byte, index) => start[index] === byte)) {
    yield start;
    yield* rest;
    return;
  }
  let isReadingAtFault = false;
  let readBytes = start.length;
  let bytes = 0;
  async function* whole() {
    yield start;
    try {
      // A piece of a file is valid only until the next one is read, and the stream reads ahead.
      for await (const piece of rest) {
        readBytes += piece.length;
        yield Uint8Array.from(piece);
      }
    } catch (error) {
      isReadingAtFault = true;
      throw error;
    }
  }
  try {
    // `createZstdDecompress` would accept a truncated file, although the checksum is in its last bytes.
    for await (const piece of ReadableStream.from(whole()).pipeThrough(new DecompressionStream(zstd))) {
      bytes += piece.length;
      if (bytes > decompressedMax.baseBytes + decompressedMax.times * readBytes) {
        throw new OperatorError("The compressed file is not a backup: decompressed, it is over 100 times as large.");
      }
      yield piece;
    }
  } catch (error) {
    // Damage is a TypeError without a code, but so are some network errors.
    if (isReadingAtFault || !(error instanceof TypeError)) throw error;
    throw new OperatorError("The compressed file is damaged or truncated.");
  }
}
