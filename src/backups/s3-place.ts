import type { S3Settings } from "../config/backup-settings.ts";
import { msPerHour, msPerMinute, msPerSecond, within } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { printable } from "../core/text.ts";
import { type KeptBackup, madeAtOf, newestFirst } from "./place.ts";

/** How long to wait before each further try. */
const retryWaitsMs = [msPerSecond / 2, 5 * msPerSecond, 30 * msPerSecond];

/** Bun's code for a response that redirects. */
const redirected = "UnexpectedRedirect";

/** Errors that a further try would not change. */
const finalCodes = new Set([
  ...["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "NoSuchBucket", "NoSuchKey", "EntityTooLarge"],
  redirected,
]);

const messageCharactersMax = 200;

/** How long a list or a removal may take. */
const responseMsMax = msPerMinute / 2;

/**
 * Backups in a bucket of any server that speaks S3. Throws `OperatorError` if it does not respond, refuses or
 * redirects.
 *
 * Bun's client only lists and signs, because it follows redirects, and would send a backup to any server that a
 * redirect names. S3 takes at most 5 GB in one request.
 */
export function openS3({ prefix, ...settings }: S3Settings) {
  const client = new Bun.S3Client(settings);

  return {
    list,
    read,
    async remove(name: string) {
      await withTimeout(call("DELETE", name));
    },
    /**
     * Stores a file under this name, reads it back and finds it in the list. Throws unless the stored bytes have this
     * SHA-256.
     */
    async send(
      file: string,
      name: string,
      { sha256, onReadBack }: { sha256: string; onReadBack: (bytes: number) => void },
    ) {
      await retry(async () => {
        // Without a length S3 refuses a stream. Bun would read a file that is not a stream into memory.
        const content = Bun.file(file);
        await call("PUT", name, { body: content.stream(), headers: { "content-length": String(content.size) } });
        if ((await sha256Of(read(name), onReadBack)) !== sha256)
          throw new Error("The copy read back from S3 differs from the one sent.");
      });
      await retry(
        async () => {
          const isListed = (await list()).some((backup) => backup.name === name);
          if (!isListed)
            throw new Error("it was stored, but the bucket does not list it; is the bucket's name in the path?");
        },
        retryWaitsMs.slice(0, 1),
      );
    },
  };

  async function list(): Promise<KeptBackup[]> {
    await withTimeout(refuseRedirect());
    const found: KeptBackup[] = [];
    let startAfter: string | undefined;
    for (;;) {
      const page = await withTimeout(client.list({ prefix: `${prefix}latchkey-`, ...(startAfter && { startAfter }) }));
      for (const { key, size } of page.contents ?? []) {
        const name = key.slice(prefix.length);
        const madeAt = madeAtOf(name);
        if (madeAt !== null) found.push({ name, madeAt, bytes: Number(size ?? 0) });
      }
      startAfter = page.contents?.at(-1)?.key;
      if (!page.isTruncated || startAfter === undefined) return found.sort(newestFirst);
    }
  }

  async function* read(name: string): AsyncGenerator<Uint8Array> {
    try {
      yield* (await call("GET", name)).body ?? [];
    } catch (error) {
      throw sentenceFor(error);
    }
  }

  /**
   * Requests an object that does not exist, only to detect a redirect, which Bun's client would follow when it lists.
   */
  async function refuseRedirect(): Promise<void> {
    await call("HEAD", "redirect").catch((error) => {
      if ((error as { code?: string }).code === redirected) throw error;
    });
  }

  async function call(
    method: "HEAD" | "GET" | "PUT" | "DELETE",
    name: string,
    init: RequestInit = {},
  ): Promise<Response> {
    const url = client.presign(prefix + name, { method, expiresIn: msPerHour / msPerSecond });
    const response = await fetch(url, { ...init, method, redirect: "error" });
    if (!response.ok) throw await errorIn(response);
    return response;
  }
}

/** Reads only the beginning of a long text. */
async function errorIn(response: Response): Promise<Error> {
  let text = "";
  for await (const piece of response.body ?? []) {
    text = new TextDecoder().decode(piece);
    break;
  }
  const textIn = (tag: string) => text.match(`<${tag}>([^<]*)</${tag}>`)?.[1];
  return Object.assign(new Error(textIn("Message") ?? ""), { code: textIn("Code") ?? `status ${response.status}` });
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

async function retry(work: () => Promise<void>, waitsMs = retryWaitsMs): Promise<void> {
  for (const waitMs of [...waitsMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (waitMs === null || finalCodes.has((error as { code?: string }).code ?? "")) throw sentenceFor(error);
      await Bun.sleep(waitMs);
    }
  }
}

function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  return within(responseMsMax, work, `no response within ${responseMsMax} ms`).catch((error) => {
    throw sentenceFor(error);
  });
}

/** S3's messages reach terminals and the log. Bun's errors contain the address, and in it the signature. */
function sentenceFor(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code === redirected) {
    return new OperatorError("BACKUP_S3 redirects to another address. If you trust that address, set BACKUP_S3 to it.");
  }
  const said = [code, message.replace(/https?:\S+/g, "")].filter(Boolean).join(", ");
  return new OperatorError(`BACKUP_S3 failed: ${printable(said, messageCharactersMax)}`);
}
