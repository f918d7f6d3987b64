import { Elysia } from "elysia";
import type { Metrics } from "../../core/metrics.ts";

const contentType = "text/plain; version=0.0.4; charset=utf-8";

/** `/metrics`, for whoever shows the token. Without one there is no such address: what a server counts is nobody else's business. */
export function createMetricsRoute({ metrics, metricsToken }: { metrics: Metrics; metricsToken: string | null }) {
  const plugin = new Elysia({ name: "metrics" });
  if (metricsToken === null) return plugin;
  const expected = hashOf(`Bearer ${metricsToken}`);

  return plugin.get(
    "/metrics",
    ({ request }) => {
      // Hashes have one length, and tell nothing of how much of a guess was right.
      const isShown = crypto.timingSafeEqual(hashOf(request.headers.get("authorization") ?? ""), expected);
      if (!isShown) return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
      return new Response(metrics.text(), { headers: { "content-type": contentType, "cache-control": "no-store" } });
    },
    { detail: { hide: true } },
  );
}

function hashOf(text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}
