/** Puts the next page's address into the `Link` header (RFC 8288); its other parameters stay as they were asked. */
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
