import type { FieldProblem } from "../../src/refusal.ts";
import { pageHydrated } from "../runtime/hydration.ts";
import { loseSession } from "../state/signals.ts";

/**
 * What the server sent when it refused: its own sentence, JSON without one, or something else. Nothing where it cannot be reached, and
 * where what came as a success cannot be read: then another answered in its place, as the login of a hotel's network does.
 */
export type Answer = "sentence" | "json" | "other" | "nothing";

/** Every failed call. `message` is the server's sentence, or section 8's '{status}: {body text or status text}'. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";

  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    readonly errors: FieldProblem[] = [],
    readonly answer: Answer = "sentence",
  ) {
    super(message);
  }
}

/** What a person is told: the server's sentence when there is one, else the screen's own words of section 8. */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.answer === "sentence" ? error.message : fallback;
}

interface ReadOptions {
  signal?: AbortSignal;
}

export async function getJson<Body>(path: string, { signal }: ReadOptions = {}): Promise<Body> {
  return readBody(await send("GET", path, { signal }), signal);
}

export interface Rows<Row> {
  rows: Row[];
  nextCursor: string | null;
  /** How many rows the filters let through, where the call was asked with `count=true`. */
  matchCount?: number;
  /** How many rows there are whatever the filters, where the call says so. */
  totalCount?: number;
}

/** One page of a list that was asked with `limit`: the next cursor stands in the `Link` header (decisions.md 7). */
export async function getRows<Row>(path: string, { signal }: ReadOptions = {}): Promise<Rows<Row>> {
  const response = await send("GET", path, { signal });
  const matchCount = response.headers.get("x-match-count");
  return {
    rows: await readBody(response, signal),
    nextCursor: nextCursorIn(response.headers.get("link")),
    matchCount: matchCount === null ? undefined : Number(matchCount),
  };
}

export async function postJson<Body>(
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Body> {
  return readBody(await send("POST", path, { body, headers }));
}

export async function putJson<Body>(path: string, body: unknown): Promise<Body> {
  return readBody(await send("PUT", path, { body }));
}

/** Some deletions answer nothing, and then so does this. */
export async function deleteJson<Body = unknown>(path: string): Promise<Body | null> {
  const response = await send("DELETE", path, {});
  return response.status === 204 ? null : readBody(response);
}

export interface Download {
  blob: Blob;
  /** From the content-disposition header, else the fallback. */
  filename: string;
}

/** Fetches a file; `onProgress` is told how many bytes have come. `saveAs` hands it to the browser. */
export async function download(
  path: string,
  fallbackName: string,
  onProgress: (bytes: number) => void = () => {},
): Promise<Download> {
  const response = await send("GET", path, {});
  const chunks: BlobPart[] = [];
  let bytes = 0;
  for (const reader = response.body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    onProgress(bytes);
  }
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  return {
    blob: new Blob(chunks, { type }),
    filename: filenameIn(response.headers.get("content-disposition")) ?? fallbackName,
  };
}

interface SendOptions extends ReadOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

/** The only fetch of the panel. */
async function send(method: string, path: string, { body, headers, signal }: SendOptions): Promise<Response> {
  const response = await reach(path, {
    method,
    signal,
    credentials: "same-origin",
    headers: { accept: "application/json", ...contentType(method), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (method === "GET") await pageHydrated();
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.code === "NOT_SIGNED_IN") loseSession(method === "GET" ? "reading" : "acting");
  throw failure;
}

function contentType(method: string): Record<string, string> {
  return method === "GET" ? {} : { "content-type": "application/json" };
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiFailure(0, "The server cannot be reached.", null, [], "nothing");
  }
}

/** Whoever sent what cannot be read, its status is not our server's. The connection may also be lost half-way through the body. */
async function readBody<Body>(response: Response, signal?: AbortSignal): Promise<Body> {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, "The server's answer could not be read.", null, [], "nothing");
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await response.text().catch(() => "");
  const generic = `${response.status}: ${text || response.statusText}`;
  const body = parsed(text);
  if (body === undefined) return new ApiFailure(response.status, generic, null, [], "other");
  const { message, code, errors } = Object(body) as { message?: unknown; code?: unknown; errors?: unknown };
  const said = typeof message === "string" && message !== "";
  return new ApiFailure(
    response.status,
    said ? message : generic,
    typeof code === "string" ? code : null,
    Array.isArray(errors) ? errors : [],
    said ? "sentence" : "json",
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nextCursorIn(link: string | null): string | null {
  const address = link?.match(/<([^>]*)>\s*;[^,]*rel="?next"?/)?.[1];
  return address === undefined ? null : new URL(address, "http://localhost").searchParams.get("cursor");
}

function filenameIn(disposition: string | null): string | null {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (encoded) return decodeURIComponent(encoded);
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1] ?? null;
}
