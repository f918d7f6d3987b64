interface Answered {
  request: Request;
  responseValue: unknown;
  set: { status?: number | string; headers: Record<string, string | number | undefined> };
}

/** A `mapResponse` hook: names the answer by its content, and answers an empty 304 to whoever holds it already. */
export function answerIfChanged({ request, responseValue, set }: Answered): Response | undefined {
  const content = JSON.stringify([responseValue, set.headers.link]);
  const etag = `"${new Bun.CryptoHasher("sha256").update(content).digest("base64url")}"`;
  set.headers.etag = etag;
  set.headers["cache-control"] = "no-cache";
  if (!isHeld(request.headers.get("if-none-match"), etag)) return undefined;
  return new Response(null, { status: 304, headers: set.headers as Record<string, string> });
}

function isHeld(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((held) => held.trim() === "*" || held.trim().replace(/^W\//, "") === etag);
}
