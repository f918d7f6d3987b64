/** How long a browser asks for nothing but https once it has seen it: two years, as is usual. */
const httpsSeconds = 63_072_000;

/** The headers of every response (rules.md: Security headers). */
export function commonHeaders(publicUrl: URL | null): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    // For JSON and files. A page has a policy that replaces this one.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.protocol === "https:" && { "strict-transport-security": `max-age=${httpsSeconds}` }),
  };
}

/** What a public call adds. A page of another site may read, beside the body: how long to wait, what it holds already, and the next page. */
export const anyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After, ETag, Link",
} as const;

export const notKept = { "cache-control": "no-store" } as const;
