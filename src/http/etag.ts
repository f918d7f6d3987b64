interface Answered {
  request: Request;
  responseValue: unknown;
  set: { status?: number | string; headers: Record<string, string | number | undefined> };
}

/** A `mapResponse` hook: names the response by its content, and returns an empty 304 to a client that has it already. */
export function answerIfChanged({ request, responseValue, set }: Answered): Response | undefined {
  // Elysia calls this for a refusal too.
  if (Number(set.status ?? 200) >= 400) return undefined;
  const etag = knownEtagOf(responseValue, set.headers.link);
  set.headers.etag = etag;
  set.headers["cache-control"] = "no-cache";
  if (!isHeld(request, etag)) return undefined;
  return new Response(null, { status: 304, headers: set.headers as Record<string, string> });
}

/** A list that is the same object until something changes is hashed once. */
const known = new WeakMap<object, string>();

function knownEtagOf(value: unknown, link: string | number | undefined): string {
  if (link !== undefined || typeof value !== "object" || value === null) return etagOf(value, link);
  const etag = known.get(value) ?? etagOf(value, link);
  known.set(value, etag);
  return etag;
}

function etagOf(value: unknown, link: string | number | undefined): string {
  const content = JSON.stringify([value, link]);
  return `"${new Bun.CryptoHasher("sha256").update(content).digest("base64url")}"`;
}

/** Whether the client says that it has this very response. */
function isHeld(request: Request, etag: string): boolean {
  const held = request.headers.get("if-none-match");
  if (held === null || held === etag) return held === etag;
  return held.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}
