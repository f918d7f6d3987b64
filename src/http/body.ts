import { msPerSecond } from "../core/clock.ts";
import { invalid, Refusal } from "../core/refusal.ts";
import { withThousandsSeparators } from "../core/text.ts";
import { silentSecondsMax, type TimedCall } from "./response.ts";

/** What a call accepts (rules.md: Bodies). */
interface BodyForm {
  /** A larger body is refused before it is read. */
  kibMax: number;
  /**
   * Fields in a body and its texts together: thousands of names take 20 times as long to parse as one long text. `:`,
   * `[` and `{` are counted before a body is parsed.
   */
  fieldsMax: number;
  copy: (from: object, to: Record<string, unknown>) => void;
}

/** Plain values, and lists and objects of them. */
const flatBody: BodyForm = { kibMax: 64, fieldsMax: 1_000, copy: copyFlat };

/** Also lists of objects, such as a list of prices. `""` is a value: it ends a game's maintenance. */
const tableBody: BodyForm = { kibMax: 1_024, fieldsMax: 100_000, copy: copyTable };

/** How long any body may take. */
const bodySecondsMin = 30;

/** `:`, `[` and `{`: each may begin a field. In UTF-8 these bytes are never part of another character. */
const [colon, openingBracket, openingBrace] = Buffer.from(":[{");

/** Throws on anything that is not UTF-8, and skips a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * A `parse` hook. Elysia parses before it decides who may call, so a body has no fields until `readBody` has read them.
 */
export const unreadBody = () => ({});

/**
 * A `transform` hook, after the access check: reads the fields of a request's JSON body into `body`. Without a body
 * there are none: the schema says what is missing, and calls that take no body ignore it. A call that takes no body has
 * `body` undefined. It has one parameter, because Elysia reads from its source which parts of the context it needs.
 */
export function readBody({ request, body, server }: TimedCall & { body?: unknown }): Promise<void> {
  return readForm({ request, body, server }, flatBody);
}

/** The same for a body with rows. */
export function readTableBody({ request, body, server }: TimedCall & { body?: unknown }): Promise<void> {
  return readForm({ request, body, server }, tableBody);
}

async function readForm({ request, body, server }: TimedCall & { body?: unknown }, form: BodyForm): Promise<void> {
  if (body === undefined) return;
  const type = request.headers.get("content-type");
  if (type !== null && !isJson(type)) throw notJson();
  const stopWatching = watchBody({ request, server });
  try {
    const bytes = await bytesOf(request, form);
    if (bytes.length === 0) return;
    if (type === null) throw notJson();
    form.copy(objectIn(bytes, form), body as Record<string, unknown>);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    stopWatching();
  }
}

/** The bytes of a JSON body, which its handler checks before it parses them. */
export async function signedBodyOf({ request, server }: TimedCall): Promise<Uint8Array> {
  const stopWatching = watchBody({ request, server });
  try {
    const bytes = await bytesOf(request, flatBody);
    if (isJson(request.headers.get("content-type") ?? "")) return bytes;
  } catch (error) {
    throw asRefusal(error);
  } finally {
    stopWatching();
  }
  throw notJson();
}

/** The fields of an HTML form. Only the player's page takes forms. */
export async function formFieldsOf({ request, server }: TimedCall): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type.trim())) {
    throw new Refusal("NOT_JSON", "The body must be a form, with the content type application/x-www-form-urlencoded.");
  }
  const stopWatching = watchBody({ request, server });
  try {
    return new URLSearchParams(Buffer.from(await bytesOf(request, flatBody)).toString());
  } finally {
    stopWatching();
  }
}

/** If the body arrives too slowly, its connection is closed. Returns how to stop. */
function watchBody({ request, server }: TimedCall): () => void {
  const secondsMax = secondsFor(request);
  return watch({ request, server, seconds: 0, isTooSlow: ({ seconds }) => seconds >= secondsMax });
}

/** The limits of a file (rules.md: Bodies). */
const fileMibMax = 200;
export const fileBytesMax = fileMibMax * 1_024 * 1_024;
const fileBytesPerSecondMin = 64 * 1_024;
const fileSecondsMax = 3_600;
/** With a sweep, and Bun's timer, the call has ended 30 s after the last byte. */
const fileSilentSecondsMax = 24;

/** The body of a call that takes a file, which is read while it arrives. Throws `BODY_TOO_LARGE`. */
export async function* fileOf({ request, server }: TimedCall): AsyncGenerator<Uint8Array> {
  const tooLargeFile = () => new Refusal("BODY_TOO_LARGE", `The file must be at most ${fileMibMax} MiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > fileBytesMax) throw tooLargeFile();
  let bytes = 0;
  let secondsBefore = 0;
  // Only the client's time counts, not that of storing what has arrived.
  const file = {
    ...{ request, server, seconds: 0, isWaiting: true },
    isTooSlow: ({ seconds }: Reading) =>
      seconds >= fileSecondsMax ||
      seconds - secondsBefore >= fileSilentSecondsMax ||
      (seconds >= bodySecondsMin && bytes < seconds * fileBytesPerSecondMin),
  };
  const stopWatching = watch(file);
  server?.timeout(request, 0);
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length;
      secondsBefore = file.seconds;
      if (bytes > fileBytesMax) throw tooLargeFile();
      file.isWaiting = false;
      yield chunk;
      file.isWaiting = true;
    }
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal("INVALID", "The file was broken off.", { cause: error });
  } finally {
    stopWatching();
    server?.timeout(request, silentSecondsMax);
  }
}

/** A body that is being read, and for how long. */
interface Reading extends TimedCall {
  seconds: number;
  /** False while the server is busy with what has arrived. */
  isWaiting?: boolean;
  isTooSlow: (reading: Reading) => boolean;
}

const reading = new Set<Reading>();

/** Returns how to stop. */
function watch(each: Reading): () => void {
  reading.add(each);
  if (!isSweeping) setInterval(closeSlow, sweepSeconds * msPerSecond).unref();
  isSweeping = true;
  return () => reading.delete(each);
}

const sweepSeconds = 2;
let isSweeping = false;

/** A sweep closes connections with slow bodies: setting Bun's timeout for each request slows verification by a sixth. */
function closeSlow(): void {
  for (const each of reading) {
    if (each.isWaiting ?? true) each.seconds += sweepSeconds;
    if (each.isTooSlow(each)) each.server?.timeout(each.request, 1);
  }
}

/** A body may take 30 s, or as long as it takes at 1 KB/s. */
function secondsFor({ headers }: Request): number {
  const bytes = Number(headers.get("content-length") ?? flatBody.kibMax * 1_024);
  return Math.max(bodySecondsMin, Math.ceil(bytes / 1_000) || 0);
}

function bytesOf(request: Request, { kibMax }: BodyForm): Promise<Uint8Array> {
  const length = request.headers.get("content-length");
  if (length === null) return chunksOf(request, kibMax);
  if (Number(length) > kibMax * 1_024) throw tooLarge(kibMax);
  return request.bytes();
}

/** The length of a body that comes in chunks is not known beforehand, so it is counted while it is read. */
async function chunksOf(request: Request, kibMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > kibMax * 1_024) throw tooLarge(kibMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function objectIn(bytes: Uint8Array, { fieldsMax }: BodyForm): object {
  refuseManyFields(bytes, fieldsMax);
  const value: unknown = JSON.parse(utf8.decode(bytes));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw notAnObject();
  return value;
}

/** Counts bytes, because a refused body needs no text. An index is 15 times as fast as `for … of` here. */
function refuseManyFields(bytes: Uint8Array, fieldsMax: number): void {
  if (bytes.length <= fieldsMax) return;
  let fields = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte !== colon && byte !== openingBracket && byte !== openingBrace) continue;
    fields += 1;
    if (fields > fieldsMax) {
      throw notAnObject(`The body must be a JSON object with at most ${withThousandsSeparators(fieldsMax)} fields.`);
    }
  }
}

/**
 * Deeper values are emptied, because describing hundreds of levels in a refusal would hold up everyone, and `""` means
 * that the field was left out.
 */
function copyFlat(from: object, to: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(from)) {
    if (value === "" || isInherited(name)) continue;
    to[name] = Array.isArray(value) ? value.map(plain) : plainOrObject(value);
  }
}

function plainOrObject(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copied = Object.entries(value).filter(([name]) => !isInherited(name));
  return Object.fromEntries(copied.map(([name, each]) => [name, plain(each)]));
}

function copyTable(from: object, to: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(from)) {
    if (isInherited(name)) continue;
    to[name] = Array.isArray(value) ? value.map(row) : row(value);
  }
}

/** No call has such a field, and an object whose `toString` is no function cannot be turned into text. */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function row(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return plain(value);
  const copy: Record<string, unknown> = {};
  copyFlat(value, copy);
  return copy;
}

function plain(value: unknown): unknown {
  return typeof value === "object" && value !== null ? {} : value;
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/json\s*(;|$)/i.test(type.trim());
}

/** A client that breaks off in its body is refused like one whose body is not JSON. */
function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal("INVALID_JSON", "The body is not valid JSON.");
}

function notJson(): Refusal {
  return new Refusal("NOT_JSON", "The body must be JSON, with the content type application/json.");
}

function notAnObject(message = "The body must be a JSON object."): Refusal {
  return invalid("", message);
}

function tooLarge(kibMax: number): Refusal {
  return new Refusal("BODY_TOO_LARGE", `The body must be at most ${kibMax} KiB.`);
}
