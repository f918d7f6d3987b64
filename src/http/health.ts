import { getLogger } from "@logtape/logtape";
import { Elysia } from "elysia";
import { msPerSecond } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";

const log = getLogger(["latchkey", "health"]);

/** Whoever asks more often is told again what was found last. */
const lookEveryMs = 10 * msPerSecond;

/** A storage that takes longer keeps everybody waiting, and whoever asks gives up a little later. */
const withinMs = 2 * msPerSecond;

const checks = ["read", "write"] as const;

const sentences: Record<(typeof checks)[number], string> = {
  read: "The database cannot be read.",
  write: "The storage takes no writes.",
};

/** What the server says of itself (rules.md: Health). */
interface Readiness {
  status: "ok" | "failing";
  checks: Record<(typeof checks)[number], string>;
  /** What an operator should look at, and what is no reason to take the server out of service. */
  notes: string[];
}

/**
 * For whoever keeps the server running: `/healthz` says that the process answers, `/readyz` that it can work. `notes` are asked each time, and
 * answer a sentence where something is to be told.
 */
export function createHealth({
  database,
  notes,
  monotonicMs,
}: {
  database: Pick<Database, "probe">;
  notes: (() => string | null)[];
  monotonicMs: () => number;
}) {
  let latest: { atMs: number; found: Promise<Readiness["checks"]> } | null = null;
  let wasReady = true;
  const hidden = { detail: { hide: true } };

  return new Elysia({ name: "health" })
    .get("/healthz", () => ({ status: "ok" }), hidden)
    .get(
      "/readyz",
      async ({ set }) => {
        const found = await look();
        const isReady = checks.every((check) => found[check] === "ok");
        if (!isReady) set.status = 503;
        set.headers["cache-control"] = "no-store";
        return {
          status: isReady ? "ok" : "failing",
          checks: found,
          notes: notes.flatMap((note) => note() ?? []),
        } satisfies Readiness;
      },
      hidden,
    );

  /** Those who ask at once share one look. */
  function look(): Promise<Readiness["checks"]> {
    const now = monotonicMs();
    if (latest === null || now - latest.atMs >= lookEveryMs) latest = { atMs: now, found: lookNow() };
    return latest.found;
  }

  async function lookNow(): Promise<Readiness["checks"]> {
    const read = await outcomeOf("read");
    // Nothing is written to a database that cannot be read.
    const write = read === "ok" ? await outcomeOf("write") : "Not tried.";
    tellChange({ read, write });
    return { read, write };
  }

  async function outcomeOf(check: (typeof checks)[number]): Promise<string> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`not within ${withinMs / msPerSecond} s`)), withinMs);
    try {
      await Promise.race([database.probe[check](), late.promise]);
      return "ok";
    } catch (error) {
      const { message, cause } = error as Error;
      log.debug("The check {check} fails: {reason}", {
        check,
        reason: cause instanceof Error ? cause.message : message,
      });
      return sentences[check];
    } finally {
      clearTimeout(timer);
    }
  }

  function tellChange(found: Readiness["checks"]): void {
    const failing = checks.filter((check) => found[check] !== "ok");
    const isReady = failing.length === 0;
    if (isReady !== wasReady) {
      if (isReady) log.info("The server is ready again.", { event: "ready" });
      else
        log.error("The server is not ready: {failing}", {
          event: "not_ready",
          failing: failing.map((check) => found[check]).join(" "),
        });
    }
    wasReady = isReady;
  }
}

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
