import { getLogger } from "@logtape/logtape";
import { Elysia } from "elysia";
import { version } from "../config/program.ts";
import { msPerSecond, within } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";

const log = getLogger(["latchkey", "health"]);

/** More frequent requests get the latest result again. */
const checkEveryMs = 10 * msPerSecond;

/** Slower storage counts as failed. Load balancers give up shortly after this. */
const withinMs = 2 * msPerSecond;

const checks = ["read", "write"] as const;

const sentences: Record<(typeof checks)[number], string> = {
  read: "The database cannot be read.",
  write: "The storage accepts no writes.",
};

type Checks = Record<(typeof checks)[number], string>;

interface Dependencies {
  database: Pick<Database, "probe">;
  notes: (() => string | null)[];
  /** Whether a signed-in admin sent the request. */
  isAdmin: (request: Request) => Promise<boolean>;
  monotonicMs: () => number;
}

/**
 * `/healthz` shows that the process responds, and to an admin its version; `/readyz` shows that it can work. `notes`
 * return sentences for the operator, which are no reason to take the server out of service.
 */
export function createHealth({ database, notes, isAdmin, monotonicMs }: Dependencies) {
  let latest: { atMs: number; found: Promise<Checks> } | null = null;
  let wasReady = true;
  const hidden = { detail: { hide: true } };

  return new Elysia({ name: "health" })
    .get(
      "/healthz",
      async ({ request, set }) => {
        set.headers["cache-control"] = "no-store";
        return { status: "ok", ...((await isAdmin(request)) && { version }) };
      },
      hidden,
    )
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
        };
      },
      hidden,
    );

  /** Concurrent requests share one check. */
  function look(): Promise<Checks> {
    const now = monotonicMs();
    if (latest === null || now - latest.atMs >= checkEveryMs) latest = { atMs: now, found: lookNow() };
    return latest.found;
  }

  async function lookNow(): Promise<Checks> {
    const read = await outcomeOf("read");
    // Nothing is written to a database that cannot be read.
    const write = read === "ok" ? await outcomeOf("write") : "Not checked.";
    logChange({ read, write });
    return { read, write };
  }

  async function outcomeOf(check: (typeof checks)[number]): Promise<string> {
    try {
      await within(withinMs, database.probe[check](), `not within ${withinMs / msPerSecond} s`);
      return "ok";
    } catch (error) {
      const { message, cause } = error as Error;
      log.debug("The check {check} fails: {reason}", {
        check,
        reason: cause instanceof Error ? cause.message : message,
      });
      return sentences[check];
    }
  }

  function logChange(found: Checks): void {
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

/** `/metrics`, for requests with the token. Without METRICS_TOKEN there is no such address. */
export function createMetricsRoute({ metrics, metricsToken }: { metrics: Metrics; metricsToken: string | null }) {
  const plugin = new Elysia({ name: "metrics" });
  if (metricsToken === null) return plugin;
  const expected = hashOf(`Bearer ${metricsToken}`);

  return plugin.get(
    "/metrics",
    ({ request }) => {
      // Hashes have the same length, so the comparison does not show how much of a guess was right.
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
