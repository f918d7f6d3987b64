import type { DirectRoute } from "../http/direct.ts";
import { etagOf, isHeld } from "../http/etag.ts";
import { anyOrigin, type EveryAnswer, json } from "../http/headers.ts";
import type { Update } from "./schema.ts";
import type { Updates } from "./updates.ts";

/** `GET /api/updates` for Bun's own router: the whole list, or whether it has changed. A page of it is Elysia's. */
export function updatesDirect({ updates, headers }: { updates: Updates; headers: EveryAnswer }): DirectRoute {
  let latest: ReturnType<typeof written> | null = null;

  return {
    method: "GET",
    path: "/api/updates",
    async answer(request) {
      if (request.url.includes("?")) return null;
      const { rows } = await updates.published({});
      if (latest?.rows !== rows) latest = written(rows, { ...headers, ...anyOrigin });
      return isHeld(request, latest.etag)
        ? new Response(null, latest.unchanged)
        : new Response(latest.text, latest.whole);
    },
  };
}

function written(rows: Update[], common: EveryAnswer) {
  const etag = etagOf(rows);
  const headers = { ...common, etag, "cache-control": "no-cache" };
  return {
    rows,
    etag,
    text: JSON.stringify(rows),
    whole: { headers: new Headers({ ...headers, ...json }) },
    unchanged: { status: 304, headers: new Headers(headers) },
  };
}
