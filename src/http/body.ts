import { Refusal } from "../core/refusal.ts";

/** No call needs more (rules.md: Bodies). A larger body is refused before it is read. */
export const bodyBytesMax = 64 * 1024;

/**
 * Reads a request's JSON body. Who may call is decided before what was sent is judged, but Elysia parses first: so a
 * bad body becomes a `Refusal` that stands in its place until the access check has passed (`accounts/access.ts` throws it).
 * No body at all is `{}`: the schema says what is missing, and calls that take no body are content with it.
 * What must be waited for is answered as a promise, which is never refused.
 */
export function readBody(request: Request): unknown {
  const type = request.headers.get("content-type");
  if (type !== null && !isJson(type)) return notJson();
  const length = request.headers.get("content-length");
  if (length === null) return readUntold(request, type).catch(notValid);
  if (Number(length) > bodyBytesMax) return tooLarge();
  if (Number(length) === 0) return {};
  return type === null ? notJson() : request.json().then(flat, notValid);
}

/** A body that comes in chunks does not tell its length beforehand: it is counted while it is read. */
async function readUntold(request: Request, type: string | null): Promise<unknown> {
  if (!request.body) return {};
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return tooLarge();
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  return type === null ? notJson() : flat(JSON.parse(Buffer.concat(chunks).toString()));
}

/**
 * Every body is one object of plain values and lists of them (rules.md: Bodies). What is nested deeper is emptied, because describing
 * thousands of levels in a refusal would hold everybody up, and `""` means that the field was left out.
 */
function flat(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return notAnObject();
  const fields = body as Record<string, unknown>;
  for (const name in fields) {
    const value = fields[name];
    if (value === "") delete fields[name];
    else fields[name] = Array.isArray(value) ? value.map(plain) : plain(value);
  }
  return fields;
}

function plain(value: unknown): unknown {
  return typeof value === "object" && value !== null ? {} : value;
}

/** A `transform` hook, after the access check: throws what `readBody` has found. */
export function refuseBadBody({ body }: { request: Request; body?: unknown }): void {
  if (body instanceof Refusal) throw body;
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/json\s*(;|$)/i.test(type.trim());
}

function notJson(): Refusal {
  return new Refusal("NOT_JSON", "The body must be JSON, with the content type application/json.");
}

function notValid(): Refusal {
  return new Refusal("INVALID_JSON", "The body is not valid JSON.");
}

function notAnObject(): Refusal {
  const message = "The body must be a JSON object.";
  return new Refusal("INVALID", message, { errors: [{ path: "", message }] });
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `The body must be at most ${bodyBytesMax / 1024} KiB.`);
}
