import type { AssetManifest } from "../http/assets.ts";
import type { Failure } from "../http/schema.ts";
import type { Brand } from "./page.ts";

/**
 * The page that people see if a page fails (rules.md: Failed pages). It is not rendered like the others, because that
 * may be what failed. It has the same message as the API's response.
 */
export function createFailurePage({ styles }: Pick<AssetManifest, "styles">, brand: Brand) {
  const [name, logo] = [brand.name, brand.logo].map((text) => Bun.escapeHTML(text));
  return ({ message }: Failure, status: number): Response => {
    const mayRetry = status >= 500 || status === 429;
    const heading = mayRetry ? "This page could not be opened" : "This page cannot be shown";
    const next = mayRetry ? { href: "", text: "Try again" } : { href: "/", text: `Back to ${name}` };
    const html = `<!DOCTYPE html>
<html lang="en" class="dark" style="color-scheme:dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${heading} · ${name}</title>
<link rel="stylesheet" href="${styles}">
<link rel="icon" href="${logo}">
</head>
<body>
<main class="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-6 px-4 py-10">
<div class="rounded-xl border border-line bg-card p-6 text-center sm:p-8">
<img src="${logo}" alt="" width="44" height="44" class="mx-auto mb-5 object-contain opacity-60">
<h1 class="text-xl font-semibold tracking-tight">${heading}</h1>
<p class="mt-2 text-muted">${Bun.escapeHTML(message)}</p>
<a href="${next.href}" class="mt-6 inline-flex min-h-(--hit) items-center rounded-md border border-edge bg-raised px-3.5 font-medium hover:bg-hover">${next.text}</a>
</div>
</main>
</body>
</html>
`;
    return pageResponse(html, { nonce: freshNonce(), status });
  };
}

/**
 * The content security policy of a page: our own scripts and styles, those with this response's nonce, and nothing from
 * elsewhere.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Radix and React write style attributes, which have no nonce and run nothing.
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

/** Unguessable, and used once. */
export function freshNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64();
}

/** A page that is not cached, and that other sites can neither frame nor read. */
export function pageResponse(
  html: string | Uint8Array<ArrayBuffer>,
  { nonce, status = 200, headers }: { nonce: string; status?: number; headers?: Record<string, string> },
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
      ...headers,
    },
  });
}
