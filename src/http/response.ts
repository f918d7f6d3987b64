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

/**
 * A response that a browser saves under this name. `headers` are those of every response, which a new `Response` would
 * lose. A route that also returns JSON passes that type, because Elysia's types know no promise of either.
 */
export function attachment<Body = Response>(
  { filename, content }: { filename: string; content: ReadableStream<Uint8Array> },
  type: string,
  { headers }: Reply["set"],
): Body {
  return new Response(content, {
    headers: {
      ...(headers as Record<string, string>),
      "content-type": type,
      "content-disposition": `attachment; filename="${filename}"`,
    },
  }) as Body;
}

/** Waits for the work, and returns the sentence that says that it is done, with its result if there is one. */
export async function messageAfter<Result>(work: Promise<Result>, message: string) {
  return Object.assign({ message }, await work);
}

/** A request, and the headers of its response so far. */
export interface Reply {
  request: Request;
  set: { headers: Record<string, string | number | undefined> };
}

export interface PageOf<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/**
 * Returns the rows. The next page's address goes into the `Link` header (RFC 8288), with the other parameters of the
 * request.
 */
export async function linkedRows<Row>(
  { request, set }: Reply,
  page: PageOf<Row> | Promise<PageOf<Row>>,
): Promise<Row[]> {
  const { rows, nextCursor } = await page;
  if (nextCursor !== null) {
    const url = new URL(request.url);
    url.searchParams.set("cursor", nextCursor);
    set.headers.link = `<${url.pathname}${url.search}>; rel="next"`;
  }
  return rows;
}

/**
 * Without `limit` a list is streamed whole; with it, it is a page. The type names only the page, because Elysia's types
 * know no promise of either.
 */
export async function wholeOrPage<Row>(
  { limit }: { limit?: number },
  reply: Reply,
  list: { whole: () => Promise<ReadableStream<Uint8Array>>; page: () => Promise<PageOf<Row>> },
): Promise<Row[]> {
  return limit === undefined ? streamedJson<Row[]>(await list.whole(), reply) : linkedRows(reply, list.page());
}

/**
 * JSON that is sent while it is read, typed as what it holds. A new `Response` would lose the headers of every
 * response, so they are copied.
 */
export function streamedJson<Body>(content: ReadableStream<Uint8Array>, { set }: Pick<Reply, "set">): Body {
  const headers = { ...(set.headers as Record<string, string>), "content-type": "application/json;charset=utf-8" };
  return new Response(content, { headers }) as Body;
}

/**
 * A silent connection is closed after this time (rules.md: Connections): later than the 60 s for which proxies keep theirs,
 * so that none sends a request while we close. Bun's timer may take 2 seconds more. Until the first headers have
 * arrived, Bun allows 10 to 12 s itself.
 */
export const silentSecondsMax = 75;

/** The part of Elysia's context that is needed to change a connection's timeout. */
export interface TimedCall {
  request: Request;
  server: { timeout(request: Request, seconds: number): void } | null;
}

/**
 * Runs work on very many rows, during which the connection is silent for longer than allowed. A timeout stays with
 * its connection, so the usual one is set again before the response.
 */
export async function whileSilent<Result>(
  { request, server }: TimedCall,
  work: () => Promise<Result>,
): Promise<Result> {
  server?.timeout(request, 0);
  try {
    return await work();
  } finally {
    server?.timeout(request, silentSecondsMax);
  }
}

/**
 * The response to a browser's preflight request. Public calls may be made from any site, but never with cookies: that
 * would need `access-control-allow-credentials`, which is never sent.
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

/**
 * A `mapResponse` hook: names the response by its content, and returns an empty 304 to a client that has it already.
 */
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
  return notModified({ request, set }, knownEtagOf(responseValue, set.headers.link));
}

/** Names the response by `etag`. Returns an empty 304 to a client that has it already, otherwise undefined. */
export function notModified({ request, set }: Reply, etag: string): Response | undefined {
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

export function etagOf(value: unknown, link?: string | number): string {
  const content = JSON.stringify([value, link]);
  return `"${new Bun.CryptoHasher("sha256").update(content).digest("base64url")}"`;
}

/** Whether the client says that it has this very response. */
function isHeld(request: Request, etag: string): boolean {
  const held = request.headers.get("if-none-match");
  if (held === null || held === etag) return held === etag;
  return held.split(",").some((each) => each.trim() === "*" || unmarked(each.trim()) === etag);
}

/** Proxies that compress a response mark its ETag as weak, or add the encoding to it. */
function unmarked(etag: string): string {
  return etag.replace(/^W\//, "").replace(/[-;:/](gzip|br|zstd|deflate)"$/, '"');
}
