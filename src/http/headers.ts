/** What every answer carries, whoever gives it. */
export const everyAnswer = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
} as const;

/** What a public call adds. A page of another site may read, beside the body: how long to wait, what it holds already, and the next page. */
export const anyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After, ETag, Link",
} as const;

export const notKept = { "cache-control": "no-store" } as const;

/** As Elysia writes it. */
export const json = { "content-type": "application/json;charset=utf-8" } as const;
