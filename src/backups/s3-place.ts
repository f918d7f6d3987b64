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

/** Refusals that pass: time-outs, conflicts with another request, and too many requests. */
const passingStatuses = new Set([408, 409, 425, 429]);
const passingCodes = new Set(["RequestTimeout"]);

const messageCharactersMax = 200;

/** How long a server may be silent. */
const silentMsMax = msPerMinute / 2;

/** While a backup is sent, the system's buffers may still hold megabytes that leave slowly. */
const silentWhileSendingMsMax = 2 * msPerMinute;

/**
 * Backups in a bucket of any server that speaks S3. Throws `OperatorError` if it does not respond, refuses or
 * redirects.
 *
 * Bun's client only lists and signs, because it follows redirects, and would send a backup to any server that a
 * redirect names. S3 takes at most 5 GB in one request.
 */
export function openS3(
  { prefix, ...settings }: S3Settings,
  {
    waitsMs = retryWaitsMs,
    silentMs = silentMsMax,
    silentWhileSendingMs = silentWhileSendingMsMax,
  }: { waitsMs?: number[]; silentMs?: number; silentWhileSendingMs?: number } = {},
) {
  const client = new Bun.S3Client(settings);

  return {
    list: () => list().catch(fail),
    async *read(name: string): AsyncGenerator<Uint8Array> {
      try {
        yield* read(name);
      } catch (error) {
        fail(error);
      }
    },
    async remove(name: string) {
      await call("DELETE", name).catch(fail);
    },
    /**
     * Stores a file under this name, reads it back and finds it in the list. Throws unless the stored bytes have this
     * SHA-256; other bytes are removed.
     */
    async send(
      file: string,
      name: string,
      { sha256, onReadBack }: { sha256: string; onReadBack: (bytes: number) => void },
    ) {
      await retry(async () => {
        // Without a length S3 refuses a stream. Bun would read a file that is not a stream into memory.
        const content = Bun.file(file);
        const silence = limitSilence(silentWhileSendingMs);
        const body = content.stream().pipeThrough(silence.watched());
        await call("PUT", name, { body, headers: { "content-length": String(content.size) }, silence });
        if ((await sha256Of(read(name), onReadBack)) === sha256) return;
        // Otherwise it would pass for a good backup after a restart.
        const left = await call("DELETE", name).then(
          () => "",
          () => ", and cannot be removed",
        );
        throw new Error(`The copy read back from S3 differs from the one sent${left}.`);
      }, waitsMs);
      await retry(
        async () => {
          const isListed = (await list()).some((backup) => backup.name === name);
          if (!isListed)
            throw new Error("it was stored, but the bucket does not list it; is the bucket's name in the path?");
        },
        waitsMs.slice(0, 1),
      );
    },
  };

  async function list(): Promise<KeptBackup[]> {
    await refuseRedirect();
    const found: KeptBackup[] = [];
    let startAfter: string | undefined;
    for (;;) {
      const asked = client.list({ prefix: `${prefix}latchkey-`, ...(startAfter && { startAfter }) });
      const page = await within(silentMs, asked, noResponseIn(silentMs));
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
    const silence = limitSilence(silentMs);
    const { body } = await call("GET", name, { silence });
    yield* body?.pipeThrough(silence.watched()) ?? [];
    silence.end();
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
    { silence = limitSilence(silentMs), ...init }: RequestInit & { silence?: Silence } = {},
  ): Promise<Response> {
    const url = client.presign(prefix + name, { method, expiresIn: msPerHour / msPerSecond });
    try {
      const response = await fetch(url, { ...init, method, redirect: "error", signal: silence.signal });
      if (!response.ok) throw await errorIn(response);
      return response;
    } finally {
      silence.end();
    }
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
  const { status } = response;
  return Object.assign(new Error(textIn("Message") ?? ""), { code: textIn("Code") ?? `status ${status}`, status });
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

type Silence = ReturnType<typeof limitSilence>;

/** Aborts a request once nothing has been sent or received for this time. */
function limitSilence(ms: number) {
  const aborting = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  begin();
  return {
    signal: aborting.signal,
    /** Each piece that passes the stream begins the time anew. */
    watched: () =>
      new TransformStream<Uint8Array, Uint8Array>({
        start: begin,
        transform(piece, stream) {
          begin();
          stream.enqueue(piece);
        },
      }),
    end: () => clearTimeout(timer),
  };

  function begin(): void {
    clearTimeout(timer);
    timer = setTimeout(() => aborting.abort(failure(noResponseIn(ms))), ms);
    timer.unref();
  }
}

function noResponseIn(ms: number): string {
  return `no response within ${ms / msPerSecond} s`;
}

async function retry(work: () => Promise<void>, waitsMs: number[]): Promise<void> {
  for (const waitMs of [...waitsMs, null]) {
    try {
      return await work();
    } catch (error) {
      if (waitMs === null || isFinal(error)) fail(error);
      await Bun.sleep(waitMs);
    }
  }
}

/** Whether a further try would not help. After a silence the schedule tries again soon enough. */
function isFinal(error: unknown): boolean {
  const { code = "", status = 0 } = error as { code?: string; status?: number };
  const isRefused = status >= 400 && status < 500 && !passingStatuses.has(status) && !passingCodes.has(code);
  return error instanceof OperatorError || finalCodes.has(code) || isRefused;
}

/** S3's messages reach terminals and the log. Bun's errors contain the address, and in it the signature. */
function fail(error: unknown): never {
  if (error instanceof OperatorError) throw error;
  const { code, message } = error as { code?: unknown; message: string };
  if (code === redirected) {
    throw new OperatorError("BACKUP_S3 redirects to another address. If you trust that address, set BACKUP_S3 to it.");
  }
  // The code of an error that is not S3's may be a number.
  const said = [typeof code === "string" && code, message.replace(/https?:\S+/g, "").trim()].filter(Boolean);
  throw failure(said.join(", ") || "no reason was given");
}

function failure(reason: string): OperatorError {
  const sentence = `BACKUP_S3 failed: ${printable(reason, messageCharactersMax)}`;
  return new OperatorError(/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);
}
