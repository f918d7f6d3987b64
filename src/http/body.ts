import { Refusal } from "../refusal.ts";

/** No call of section 7 needs more. A larger body is refused before it is read. */
export const bodyBytesMax = 64 * 1024;

/**
 * Reads a request's JSON body. Who may call is decided before what was sent is judged, but Elysia parses first: so a
 * bad body becomes a `Refusal` that stands in its place until the access check has passed (`http/access.ts` throws it).
 * No body at all is `{}`: the schema says what is missing, and calls that take no body are content with it.
 */
export async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (type !== null && !isJson(type)) return notJson();
  if (Number(request.headers.get("content-length") ?? 0) > bodyBytesMax) return tooLarge();
  try {
    const bytes = await readAtMost(request, bodyBytesMax);
    if (bytes === null) return tooLarge();
    if (bytes.length === 0) return {};
    if (type === null) return notJson();
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return new Refusal("INVALID_JSON", "The body is not valid JSON.");
  }
}

/** Refuses a form or a text where JSON belongs: those are what other sites can make a browser send. */
export function refuseOtherType(request: Request): void {
  const type = request.headers.get("content-type");
  if (type !== null && !isJson(type)) throw notJson();
}

function isJson(type: string): boolean {
  return /^application\/json\s*(;|$)/i.test(type.trim());
}

/** A body may lie about its length, or not tell it (chunked): counted while it is read. */
async function readAtMost(request: Request, bytesMax: number): Promise<Uint8Array | null> {
  if (request.headers.has("content-length") || !request.body) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function notJson(): Refusal {
  return new Refusal("NOT_JSON", "The body must be JSON, with the content type application/json.");
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `The body must be at most ${bodyBytesMax / 1024} KiB.`);
}
