import type { S3Settings } from "../config/backup-settings.ts";
import { msPerMinute, msPerSecond } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { type KeptBackup, madeAtOf, newestFirst } from "./place.ts";

/** S3 allows 10,000 parts, so a backup may have 80 GB. */
const partBytes = 8 * 2 ** 20;

/** How long to wait before each further try. */
const retryWaitsMs = [msPerSecond / 2, 5 * msPerSecond, 30 * msPerSecond];

/** Errors that a further try would not change. */
const isFinal = /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket|NoSuchKey)$/;

/** How long a list or a removal may take. */
const responseMsMax = msPerMinute / 2;

/** Backups in a bucket of any server that speaks S3. Throws `OperatorError` if it does not respond, or refuses. */
export function openS3({ prefix, ...settings }: S3Settings) {
  const client = new Bun.S3Client({ ...settings, partSize: partBytes, queueSize: 1, retry: 3 });

  return {
    async list(): Promise<KeptBackup[]> {
      const found: KeptBackup[] = [];
      let startAfter: string | undefined;
      for (;;) {
        const page = await withTimeout(
          client.list({ prefix: `${prefix}latchkey-`, ...(startAfter && { startAfter }) }),
        );
        for (const { key, size } of page.contents ?? []) {
          const name = key.slice(prefix.length);
          const madeAt = madeAtOf(name);
          if (madeAt !== null) found.push({ name, madeAt, bytes: Number(size ?? 0) });
        }
        startAfter = page.contents?.at(-1)?.key;
        if (!page.isTruncated || startAfter === undefined) return found.sort(newestFirst);
      }
    },
    read,
    remove: (name: string) => withTimeout(client.delete(prefix + name)),
    /** Stores a file under this name and reads it back. Throws unless the stored bytes have this SHA-256. */
    async send(
      file: string,
      name: string,
      { sha256, onReadBack }: { sha256: string; onReadBack: (bytes: number) => void },
    ) {
      await retry(async () => {
        await client.write(prefix + name, Bun.file(file));
        if ((await sha256Of(read(name), onReadBack)) !== sha256)
          throw new Error("What was read back is not what was sent.");
      });
    },
  };

  async function* read(name: string): AsyncGenerator<Uint8Array> {
    try {
      yield* client.file(prefix + name).stream() as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw sentenceFor(error);
    }
  }
}

async function sha256Of(content: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  for await (const piece of content) {
    hash.update(piece);
    bytes += piece.length;
    onRead(bytes);
  }
  return hash.digest("hex");
}

async function retry(work: () => Promise<void>): Promise<void> {
  for (const waitMs of [...retryWaitsMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (waitMs === null || isFinal.test((error as { code?: string }).code ?? "")) throw sentenceFor(error);
      await Bun.sleep(waitMs);
    }
  }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${responseMsMax} ms`)), responseMsMax);
  try {
    return await Promise.race([work, late.promise]);
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    clearTimeout(timer);
  }
}

/** An error of S3 has a code and a sentence, without secrets. */
function sentenceFor(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const { code, message } = error as { code?: string; message: string };
  return new OperatorError(`BACKUP_S3 does not do what is asked: ${[code, message].filter(Boolean).join(", ")}`);
}
