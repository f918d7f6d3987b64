import assert from "node:assert/strict";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import type { Drill } from "./harness/drill.ts";
import { superviseFilled } from "./harness/filled-server.ts";
import { crowd, type FloodResult, flood, quantile } from "./harness/flood.ts";
import type { Supervised } from "./harness/supervisor.ts";

const keys = 50_000;
const tenfold = 10;
const capacityMs = 1_500;
const memoryMibMore = 250;
const floodsMax = 4;

/**
 * The server recovers within 5 seconds plus its backlog. A list is refused at once if 200 are waiting, a write if 4
 * seconds of work are waiting or after waiting that long. An accepted list starts within 15 seconds and then takes at
 * most as long. The short form only asserts that everything ends.
 */
const bounds = {
  long: { afterMs: 10_000, refusalMs: 8_000, acceptedMs: 30_000 },
  short: { afterMs: 60_000, refusalMs: 60_000, acceptedMs: 60_000 },
};

type Bound = (typeof bounds)["long"];

interface Work {
  what: string;
  send: (index: number) => Promise<{ status: number; text: string }>;
}

export const drill: Drill<{ seconds: number }> = {
  number: "R13",
  promise:
    "under ten times the load it can handle, the server refuses with 429 or 503 at once or within seconds, responds to everything it accepts, bounds its memory and recovers within 5 s",
  sizes: { short: { seconds: 3 }, long: { seconds: 20 } },
  async run({ seconds }, form) {
    const server = await superviseFilled(keys);
    const admin = await signInAdmin(() => createClient(server.url));
    const reseller = await registerReseller(() => createClient(server.url), admin, {
      username: "flooder",
      credits: 1_000_000,
    });
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 100 };
    const works: Work[] = [
      {
        what: "lists",
        send: (index) => admin.get(`/api/admin/keys/manage?search=zz${index}&limit=50`),
      },
      { what: "purchases", send: () => reseller.post("/api/reseller/keys/generate", order) },
    ];
    const bound = bounds[form === "long" ? "long" : "short"];
    const found: string[] = [];
    for (const work of works)
      found.push(await floodWith(work, { server, player: createClient(server.url), seconds, bound }));
    await server.close();
    return found.join("; ");
  },
};

async function floodWith(
  { what, send }: Work,
  { server, player, seconds, bound }: { server: Supervised; player: Client; seconds: number; bound: Bound },
): Promise<string> {
  let before = await capacityOf(send);
  const memoryBefore = server.memoryMib();
  let result: FloodResult;
  for (let floods = 1; ; floods += 1) {
    result = await flood(send, { perSecond: Math.ceil(before * tenfold), seconds });
    assertResponses(what, result, bound);
    if (result.refusedMs.length > 0) break;
    assert.ok(floods < floodsMax, `A tenfold flood of ${what} had no refusals.`);
    // Other work may have slowed the measurement of the capacity. A flood without refusals gives a better one.
    before = result.acceptedMs.length / seconds;
  }
  const { acceptedMs, refusedMs, endedAt } = result;
  const more = server.memoryMib() - memoryBefore;
  assert.ok(more < memoryMibMore, `A flood of ${what} took ${more.toFixed(0)} MiB.`);

  while ((await send(0)).status >= 400) {
    assert.ok(performance.now() - endedAt < bound.afterMs, `${what} are refused long after the flood.`);
    await Bun.sleep(50);
  }
  const backMs = performance.now() - endedAt;
  const { body } = await player.post("/api/verify", { key: "NO-SUCH-KEY", deviceId: "phone", game: "FREE FIRE" });
  assert.equal(body?.code, "NOT_FOUND");
  return `${Math.ceil(before * tenfold)} ${what} a second with a capacity of ${before.toFixed(0)}: ${acceptedMs.length} accepted (the slowest took ${(quantile(acceptedMs, 1) / 1_000).toFixed(1)} s), ${refusedMs.length} refused after ${quantile(refusedMs, 0.5).toFixed(0)} ms (median), recovered after ${(backMs / 1_000).toFixed(1)} s, ${Math.max(0, more).toFixed(0)} MiB more`;
}

/** The requests per second that a few sequential clients achieve. */
async function capacityOf(send: Work["send"]): Promise<number> {
  const endsAt = performance.now() + capacityMs;
  const { acceptedMs } = await crowd(send, { people: 8, restMs: 0, over: () => performance.now() > endsAt });
  return acceptedMs.length / (capacityMs / 1_000);
}

function assertResponses(what: string, { statuses, acceptedMs, refusedMs }: FloodResult, bound: Bound): void {
  const wrong = [...statuses].filter(([status]) => status === null || ![200, 201, 429, 503].includes(status));
  assert.deepEqual(wrong, [], `A flood of ${what} got ${wrong.map(([status, count]) => `${status} ${count} times`)}.`);
  const refusal = quantile(refusedMs, 0.5);
  assert.ok(refusal < bound.refusalMs, `In a flood of ${what} a refusal took ${(refusal / 1_000).toFixed(1)} s.`);
  const slowest = quantile(acceptedMs, 1);
  assert.ok(slowest < bound.acceptedMs, `In a flood of ${what} a response took ${(slowest / 1_000).toFixed(0)} s.`);
}
