import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { ElysiaCustomStatusResponse } from "elysia";
import { createFairSemaphore, type Requester } from "../core/fair-semaphore.ts";
import { accepts } from "./assets.ts";
import type { Reply } from "./response.ts";

/** Smaller bodies gain nothing. */
const plainBytesMax = 1_024;

/** zlib's threads compress. What finds no place is sent uncompressed, so that nothing waits for them. */
const places = createFairSemaphore({ atOnceMax: 16 });

const gzipped = promisify(gzip);
const encoder = new TextEncoder();
const shownOnce = new WeakSet<Request>();

/**
 * A `beforeHandle` hook for a response with a secret that is shown once, whose compressed size could tell something
 * about it.
 */
export function leaveUncompressed({ request }: { request: Request }): void {
  shownOnce.add(request);
}

/** Returns the body of a response as it is sent, and the headers that say how. An account has its share of the places. */
export async function packed(
  content: string | Uint8Array<ArrayBuffer>,
  { headers }: Request,
  by: Requester,
): Promise<{ body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const body = typeof content === "string" ? encoder.encode(content) : content;
  if (body.byteLength <= plainBytesMax) return { body, headers: {} };
  const vary = { vary: "Accept-Encoding" };
  const leave = accepts(headers.get("accept-encoding") ?? "", "gzip") ? places.enterNow(by) : null;
  if (!leave) return { body, headers: vary };
  try {
    return { body: new Uint8Array(await gzipped(body)), headers: { ...vary, "content-encoding": "gzip" } };
  } finally {
    leave();
  }
}

/** What Elysia passes to a `mapResponse` hook of a call that only people and their programs make. */
interface PeoplesCall extends Reply {
  set: Reply["set"] & { status?: number | string };
  responseValue: unknown;
  caller?: Requester;
}

/** Elysia calls this for a refusal too. Streams and files are responses already. */
export async function packJson({ request, responseValue, set, caller }: PeoplesCall): Promise<Response | undefined> {
  const isCustom = responseValue instanceof ElysiaCustomStatusResponse;
  const value = isCustom ? responseValue.response : responseValue;
  const status = Number(isCustom ? responseValue.code : (set.status ?? 200));
  const isLeft = value instanceof Response || "set-cookie" in set.headers || shownOnce.has(request);
  if (isLeft || !caller || status >= 400) return undefined;
  const { body, headers } = await packed(JSON.stringify(value), request, caller);
  if (!headers.vary) return undefined;
  // Elysia adds the headers of every response.
  return new Response(body, { status, headers: { ...headers, "content-type": "application/json;charset=utf-8" } });
}
