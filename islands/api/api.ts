import type { FieldProblem } from "../../src/core/refusal.ts";
import { pageHydrated } from "../runtime/hydration.ts";
import { loseSession } from "../state/signals.ts";
import type { BodyOf, Call, JsonCall, PartsOf, ReadCall, ResponseOf, RestOf } from "./contract.ts";

/**
 * The response to a failed call: a sentence of the server, JSON without one, or something else. `nothing` if the server
 * cannot be reached, or if a success cannot be read: then something else responded, such as a hotel's login page.
 */
export type FailedResponse = "sentence" | "json" | "other" | "nothing";

/**
 * Every failed call. `message` is the server's sentence, or '{status}: {body text or status text}' (rules.md: Toasts).
 */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";

  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    readonly errors: FieldProblem[] = [],
    readonly response: FailedResponse = "sentence",
  ) {
    super(message);
  }
}

/** Whether the server refused with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiFailure && codes.includes(error.code ?? "");
}

/** For a confirmation: after these refusals nothing is left to confirm, so its dialog closes. The toast says why. */
export function closeAfter(...codes: string[]) {
  return (error: unknown) => {
    if (!hasCode(error, ...codes)) throw error;
  };
}

/** The text to show: the server's sentence if there is one, else the screen's text. */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.response === "sentence" ? error.message : fallback;
}

/** The parts of a request. The types in `contract.ts` state which call takes which parts. */
export interface Sent {
  /** Fill the `:id` of its path. */
  params?: object;
  query?: object;
  body?: unknown;
  /** Sent as it is, in place of a body. */
  file?: Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends a form as a browser without scripts would, and returns the page that comes back. */
export async function sendForm(address: string, form: FormData): Promise<string> {
  const fields = [...form].map(([name, value]) => [name, String(value)]);
  return (await fetch(address, { method: "POST", body: new URLSearchParams(fields) })).text();
}

/** Every other call of the panel. */
export async function send(call: Call, { params, query, body, file, headers, signal }: Sent = {}): Promise<Response> {
  const method = call.slice(0, call.indexOf(" "));
  const response = await reach(`${pathOf(call, params)}${searchOf(query)}`, {
    method,
    signal,
    credentials: "same-origin",
    // A GET has only the headers of a preload, or the browser would not use the preloaded response
    // (src/pages/render.tsx).
    headers: { ...(method !== "GET" && { "content-type": "application/json" }), ...headers },
    body: file ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  if (method === "GET") await pageHydrated();
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (failure.code === "NOT_SIGNED_IN") loseSession(method === "GET" ? "reading" : "acting");
  throw failure;
}

/** The path of a call, with its parameters in it: `pathOf("GET /api/admin/keys/:id/details", { id: 7 })`. */
export function pathOf(call: Call, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params));
  return call.slice(call.indexOf("/")).replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values.get(name))));
}

/** A filter that is empty or 'all' is not sent (rules.md: Fetching). A list is sent as one parameter for each value. */
export function searchOf(query: object = {}): string {
  const sent = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const))
    .filter(([, value]) => value != null && value !== "" && value !== "all");
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiFailure(0, "The server cannot be reached.", null, [], "nothing");
  }
}

/**
 * An unreadable body is not from our server, so its status means nothing. The connection may also be lost within the
 * body.
 */
export async function readBody<Body>(response: Response, signal?: AbortSignal): Promise<Body> {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, "The server's response could not be read.", null, [], "nothing");
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await response.text().catch(() => "");
  const generic = `${response.status}: ${text || response.statusText}`;
  const body = parsed(text);
  if (body === undefined) return new ApiFailure(response.status, generic, null, [], "other");
  const { message, code, errors } = Object(body) as { message?: unknown; code?: unknown; errors?: unknown };
  const hasSentence = typeof message === "string" && message !== "";
  return new ApiFailure(
    response.status,
    hasSentence ? message : generic,
    typeof code === "string" ? code : null,
    Array.isArray(errors) ? errors : [],
    hasSentence ? "sentence" : "json",
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Calls the server: `call("POST /api/admin/tokens/generate", { body: { credits: 5 } })`. A refusal is thrown, as an
 * `ApiFailure`.
 */
export async function call<Name extends JsonCall>(
  name: Name,
  ...[sent]: RestOf<PartsOf<Name> & Pick<Sent, "headers" | "signal">>
): Promise<ResponseOf<Name>> {
  return readBody(await send(name, sent), sent?.signal);
}

/** A function that makes a call which takes a body: `withBody("POST /api/admin/tokens/generate")`. */
export function withBody<Name extends JsonCall>(name: Name) {
  return async (body: BodyOf<Name>): Promise<ResponseOf<Name>> => readBody(await send(name, { body }));
}

/** The same for a call about one record, whose id is in the path. */
export function withIdAndBody<Name extends JsonCall>(name: Name) {
  return async (id: number | string, body: BodyOf<Name>, headers?: Sent["headers"]): Promise<ResponseOf<Name>> =>
    readBody(await send(name, { params: { id }, body, headers }));
}

/** The same as `call` for TanStack Query, which caches the response under the path and the query string. */
export function queryOf<Name extends ReadCall>(name: Name, ...[sent]: RestOf<PartsOf<Name>>) {
  const { params, query }: Sent = sent ?? {};
  return {
    queryKey: [pathOf(name, params), ...(query ? [query] : [])],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ResponseOf<Name>> =>
      readBody(await send(name, { params, query, signal }), signal),
  };
}
