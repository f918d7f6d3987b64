import type { FieldProblem } from "../../src/core/refusal.ts";
import { pageHydrated } from "../runtime/hydration.ts";
import { loseSession } from "../state/signals.ts";
import type { Call } from "./contract.ts";

/**
 * What the server sent when it refused: its own sentence, JSON without one, or something else. Nothing where it cannot be reached, and
 * where what came as a success cannot be read: then another answered in its place, as the login of a hotel's network does.
 */
export type Answer = "sentence" | "json" | "other" | "nothing";

/** Every failed call. `message` is the server's sentence, or '{status}: {body text or status text}' (rules.md: Toasts). */
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

/** What a person is told: the server's sentence when there is one, else the screen's own words. */
export function failureText(error: unknown, fallback: string): string {
  return error instanceof ApiFailure && error.answer === "sentence" ? error.message : fallback;
}

/** What a call is sent with. `call.ts` says, by their types, which call takes what of it. */
export interface Sent {
  /** Fill the `:id` of its path. */
  params?: object;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The only fetch of the panel. */
export async function send(call: Call, { params, query, body, headers, signal }: Sent = {}): Promise<Response> {
  const method = call.slice(0, call.indexOf(" "));
  const response = await reach(`${pathOf(call, params)}${searchOf(query)}`, {
    method,
    signal,
    credentials: "same-origin",
    // A GET says no more than a preload does, or the browser would not take what was preloaded for its answer (src/pages/render.tsx).
    headers: { ...contentType(method), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
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

/** A filter that is empty or 'all' is not sent (rules.md: Fetching). */
export function searchOf(query: object = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value != null && value !== "" && value !== "all");
  const text = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
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
export async function readBody<Body>(response: Response, signal?: AbortSignal): Promise<Body> {
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
