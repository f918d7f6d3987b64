import { msPerSecond } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import { withThousandsSeparators } from "../core/text.ts";
import type { TimedCall } from "./response.ts";

/** No call needs more (rules.md: Bodies). A larger body is refused before it is read. */
const bodyBytesMax = 64 * 1024;

/**
 * More than any call needs, in a body and its texts together: thousands of names take 20 times as long to parse as one
 * long text. `:`, `[` and `{` are counted before a body is parsed.
 */
const bodyFieldsMax = 1_000;

/** How long any body may take. */
const bodySecondsMin = 30;

const tooManyFields = `The body must be a JSON object with at most ${withThousandsSeparators(bodyFieldsMax)} fields.`;

const mayBeginField = /[:[{]/g;

/** Throws on anything that is not UTF-8, and skips a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * A `parse` hook. Elysia parses before it decides who may call, so a body has no fields until `readBody` has read them.
 */
export const unreadBody = () => ({});

/**
 * A `transform` hook, after the access check: reads the fields of a request's JSON body into `body`. Without a body
 * there are none: the schema says what is missing, and calls that take no body ignore it. A call that takes no body has
 * `body` undefined.
 */
export async function readBody({ request, body, server }: TimedCall & { body?: unknown }): Promise<void> {
  if (body === undefined) return;
  const type = request.headers.get("content-type");
  if (type !== null && !isJson(type)) throw notJson();
  const unfinished = { request, server, seconds: 0 };
  reading.add(unfinished);
  if (!isSweeping) setInterval(closeSlow, sweepSeconds * msPerSecond).unref();
  isSweeping = true;
  try {
    const bytes = await bytesOf(request);
    if (bytes.length === 0) return;
    if (type === null) throw notJson();
    copyFlat(parsed(bytes), body as Record<string, unknown>);
  } catch (error) {
    // A client that breaks off in its body is refused like one whose body is not JSON.
    throw error instanceof Refusal ? error : new Refusal("INVALID_JSON", "The body is not valid JSON.");
  } finally {
    reading.delete(unfinished);
  }
}

/** A body that is being read, and for how long. */
interface Reading extends TimedCall {
  seconds: number;
}

const reading = new Set<Reading>();
const sweepSeconds = 2;
let isSweeping = false;

/** A sweep closes connections with slow bodies: setting Bun's timeout for each request slows verification by a sixth. */
function closeSlow(): void {
  for (const each of reading) {
    each.seconds += sweepSeconds;
    if (each.seconds >= secondsFor(each.request)) each.server?.timeout(each.request, 1);
  }
}

/** A body may take 30 s, or as long as it takes at 1 KB/s. */
function secondsFor({ headers }: Request): number {
  const bytes = Math.min(Number(headers.get("content-length") ?? bodyBytesMax), bodyBytesMax);
  return Math.max(bodySecondsMin, Math.ceil(bytes / 1_000) || 0);
}

function bytesOf(request: Request): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (length === null) return chunksOf(request);
  if (Number(length) > bodyBytesMax) throw tooLarge();
  return request.bytes();
}

/** The length of a body that comes in chunks is not known beforehand, so it is counted while it is read. */
async function chunksOf(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes);
  refuseManyFields(text);
  return JSON.parse(text);
}

function refuseManyFields(text: string): void {
  if (text.length <= bodyFieldsMax) return;
  mayBeginField.lastIndex = 0;
  for (let fields = 0; mayBeginField.test(text); fields += 1) {
    if (fields === bodyFieldsMax) throw notAnObject(tooManyFields);
  }
}

/**
 * Every body is one object of plain values and lists of them (rules.md: Bodies). Deeper values are emptied, because
 * describing hundreds of levels in a refusal would hold up everyone, and `""` means that the field was left out.
 */
function copyFlat(from: unknown, to: Record<string, unknown>): void {
  if (typeof from !== "object" || from === null || Array.isArray(from)) throw notAnObject();
  for (const name of Object.keys(from)) {
    const value = (from as Record<string, unknown>)[name];
    if (value === "" || name === "__proto__") continue;
    to[name] = Array.isArray(value) ? value.map(plain) : plain(value);
  }
}

function plain(value: unknown): unknown {
  return typeof value === "object" && value !== null ? {} : value;
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/json\s*(;|$)/i.test(type.trim());
}

function notJson(): Refusal {
  return new Refusal("NOT_JSON", "The body must be JSON, with the content type application/json.");
}

function notAnObject(message = "The body must be a JSON object."): Refusal {
  return new Refusal("INVALID", message, { errors: [{ path: "", message }] });
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `The body must be at most ${bodyBytesMax / 1024} KiB.`);
}
