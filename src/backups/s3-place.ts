import type { S3Settings } from "../config/backup-settings.ts";
import { msPerMinute, msPerSecond } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { type KeptBackup, madeAtOf, newestFirst, type Place } from "./place.ts";

/** What S3 takes in one piece; with its 10,000 pieces a backup may have 80 GB. */
const partBytes = 8 * 2 ** 20;

/** How long to wait before each further try. A place that is away for longer is asked again by the next backup. */
const waitsMs = [msPerSecond / 2, 5 * msPerSecond, 30 * msPerSecond];

/** Refusals that no further try changes. */
const isFinal = /^(AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|NoSuchBucket|NoSuchKey)$/;

/** How long a list or a removal may take. */
const answerMsMax = msPerMinute / 2;

export interface S3Place extends Place {
  /** Keeps a file there under a name, and reads it back: what lies there has this SHA-256, or it throws. */
  send(file: string, name: string, told: SendTold): Promise<void>;
}

export interface SendTold {
  sha256: string;
  /** How much has been read back. */
  onReadBack: (bytes: number) => void;
}

/** Backups in a bucket of any server that speaks S3. Throws `OperatorError` where it does not answer, or refuses. */
export function openS3({ prefix, ...settings }: S3Settings): S3Place {
  const client = new Bun.S3Client({ ...settings, partSize: partBytes, queueSize: 1, retry: 3 });

  return {
    async list() {
      const found: KeptBackup[] = [];
      let startAfter: string | undefined;
      for (;;) {
        const answer = await inTime(client.list({ prefix: `${prefix}latchkey-`, ...(startAfter && { startAfter }) }));
        for (const { key, size } of answer.contents ?? []) {
          const name = key.slice(prefix.length);
          const madeAt = madeAtOf(name);
          if (madeAt !== null) found.push({ name, madeAt, bytes: Number(size ?? 0) });
        }
        startAfter = answer.contents?.at(-1)?.key;
        if (!answer.isTruncated || startAfter === undefined) return found.sort(newestFirst);
      }
    },
    read: (name) => read(name),
    remove: (name) => inTime(client.delete(prefix + name)),
    async send(file, name, { sha256, onReadBack }) {
      await tryAgain(async () => {
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

async function tryAgain(work: () => Promise<void>): Promise<void> {
  for (const waitMs of [...waitsMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (waitMs === null || isFinal.test((error as { code?: string }).code ?? "")) throw sentenceFor(error);
      await Bun.sleep(waitMs);
    }
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${answerMsMax} ms`)), answerMsMax);
  try {
    return await Promise.race([answer, late.promise]);
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    clearTimeout(timer);
  }
}

/** What S3 says has a code and a sentence, in which no secret stands. */
function sentenceFor(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const { code, message } = error as { code?: string; message: string };
  return new OperatorError(`BACKUP_S3 does not do what is asked: ${[code, message].filter(Boolean).join(", ")}`);
}
