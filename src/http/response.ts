/** Two years, as is usual. */
const httpsSeconds = 63_072_000;

/** The headers of every response (rules.md: Headers). */
export function commonHeaders(publicUrl: URL | null): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    // For JSON and files. A page has a policy that replaces this one.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.protocol === "https:" && { "strict-transport-security": `max-age=${httpsSeconds}` }),
  };
}

/** The headers of public calls. Pages of other sites may read the listed headers as well as the body. */
export const anyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After, ETag, Link",
} as const;

export const notKept = { "cache-control": "no-store" } as const;

/** A response that a browser saves under this name. `headers` are those of every response, which a new `Response` would lose. */
export function attachment(
  content: ReadableStream<Uint8Array>,
  { filename, type, headers }: { filename: string; type: string; headers: Record<string, string | number | undefined> },
): Response {
  return new Response(content, {
    headers: {
      ...(headers as Record<string, string>),
      "content-type": type,
      "content-disposition": `attachment; filename="${filename}"`,
    },
  });
}

/** Puts the next page's address into the `Link` header (RFC 8288). Its other parameters are those of the request. */
export function linkNext(
  request: Request,
  set: { headers: Record<string, string | number | undefined> },
  nextCursor: string | null,
): void {
  if (nextCursor === null) return;
  const url = new URL(request.url);
  url.searchParams.set("cursor", nextCursor);
  set.headers.link = `<${url.pathname}${url.search}>; rel="next"`;
}

/**
 * Without `limit` a list is streamed whole; with it, it is a page. `headers` are those of every response, which a new `Response` would lose.
 * They are copied once the list has begun.
 */
export function wholeOrPage<Page>(
  { limit }: { limit?: number },
  headers: Record<string, string | number | undefined>,
  { whole, page }: { whole: () => Promise<ReadableStream<Uint8Array>>; page: () => Promise<Page> },
): Promise<Response> | Promise<Page> {
  return limit === undefined ? streamed(whole, headers) : page();
}

async function streamed(
  whole: () => Promise<ReadableStream<Uint8Array>>,
  headers: Record<string, string | number | undefined>,
): Promise<Response> {
  const content = await whole();
  return new Response(content, {
    headers: { ...(headers as Record<string, string>), "content-type": "application/json;charset=utf-8" },
  });
}

/**
 * The response to a browser's preflight request. Public calls may be made from any site, but never with cookies: that would need
 * `access-control-allow-credentials`, which is never sent.
 */
export function allowFromAnywhere(...methods: string[]): () => Response {
  return () =>
    new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": "content-type, if-none-match",
        "access-control-max-age": "86400",
      },
    });
}

/** A `mapResponse` hook: names the response by its content, and returns an empty 304 to a client that has it already. */
export function respondIfChanged({
  request,
  responseValue,
  set,
}: {
  request: Request;
  responseValue: unknown;
  set: { status?: number | string; headers: Record<string, string | number | undefined> };
}): Response | undefined {
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
