/** The content security policy of a page: scripts and styles of our own or with this answer's nonce, and nothing from elsewhere. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Radix and React write style attributes, which carry no nonce and run nothing.
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ");
}

/** Never guessed, and never used twice. */
export function freshNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64();
}

/** An answer that nobody keeps, frames or reads from elsewhere. */
export function pageAnswer(
  html: string | Uint8Array<ArrayBuffer>,
  { nonce, status = 200 }: { nonce: string; status?: number },
): Response {
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(nonce),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    },
  });
}
