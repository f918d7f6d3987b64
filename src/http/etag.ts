interface Answered {
  request: Request;
  responseValue: unknown;
  set: { status?: number | string; headers: Record<string, string | number | undefined> };
}

/** A `mapResponse` hook: names the answer by its content, and answers an empty 304 to whoever holds it already. */
export function answerIfChanged({ request, responseValue, set }: Answered): Response | undefined {
  const etag = etagOf(responseValue, set.headers.link);
  set.headers.etag = etag;
  set.headers["cache-control"] = "no-cache";
  if (!isHeld(request, etag)) return undefined;
  return new Response(null, { status: 304, headers: set.headers as Record<string, string> });
}

export function etagOf(answer: unknown, link?: string | number): string {
  const content = JSON.stringify([answer, link]);
  return `"${new Bun.CryptoHasher("sha256").update(content).digest("base64url")}"`;
}

/** Whether the client says that it has this very answer. */
export function isHeld(request: Request, etag: string): boolean {
  const held = request.headers.get("if-none-match");
  if (held === null || held === etag) return held === etag;
  return held.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);
}
