import assert from "node:assert/strict";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import type { Drill } from "./harness/drill.ts";
import { superviseFilled } from "./harness/filled-server.ts";
import { crowd, type Flooded, flood, quantile } from "./harness/flood.ts";
import type { Supervised } from "./harness/supervisor.ts";

const keys = 50_000;
const tenfold = 10;
const capacityMs = 1_500;
const memoryMibMore = 250;
const floodsMax = 4;

/**
 * As before within 5 seconds, and what the machine is behind with. A list is refused at once where 200 wait already, a write where 4 seconds of
 * work do, or once it has waited for so long. Who is taken in waits 15 seconds at most for a list to begin, and as long for the rest. A short run only holds that each has an end.
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
    "ten times what the server can do: what is refused is a 429 or 503, at once or within seconds, what is accepted is answered, memory is bounded, and 5 s later all is as before",
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
  let flooded: Flooded;
  for (let floods = 1; ; floods += 1) {
    flooded = await flood(send, { perSecond: Math.ceil(before * tenfold), seconds });
    holdAnswered(what, flooded, bound);
    if (flooded.refusedMs.length > 0) break;
    assert.ok(floods < floodsMax, `Of ten times as many ${what} as it can do none was refused.`);
    // What ran beside it while its capacity was taken may have ended since. A flood of which all was done says what it can do now.
    before = flooded.acceptedMs.length / seconds;
  }
  const { acceptedMs, refusedMs, endedAt } = flooded;
  const more = server.memoryMib() - memoryBefore;
  assert.ok(more < memoryMibMore, `A flood of ${what} took ${more.toFixed(0)} MiB.`);

  while ((await send(0)).status >= 400) {
    assert.ok(performance.now() - endedAt < bound.afterMs, `${what} are refused long after the flood.`);
    await Bun.sleep(50);
  }
  const backMs = performance.now() - endedAt;
  const { body } = await player.post("/api/verify", { key: "NO-SUCH-KEY", deviceId: "phone", game: "FREE FIRE" });
  assert.equal(body?.code, "NOT_FOUND");
  return `${Math.ceil(before * tenfold)} ${what} a second where ${before.toFixed(0)} are done: ${acceptedMs.length} answered (the slowest after ${(quantile(acceptedMs, 1) / 1_000).toFixed(1)} s), ${refusedMs.length} refused after ${quantile(refusedMs, 0.5).toFixed(0)} ms (median), as before ${(backMs / 1_000).toFixed(1)} s after it, ${Math.max(0, more).toFixed(0)} MiB more`;
}

/** How many a second it can do, as a few who ask one after the other see it. */
async function capacityOf(send: Work["send"]): Promise<number> {
  const endsAt = performance.now() + capacityMs;
  const { acceptedMs } = await crowd(send, { people: 8, restMs: 0, over: () => performance.now() > endsAt });
  return acceptedMs.length / (capacityMs / 1_000);
}

function holdAnswered(what: string, { statuses, acceptedMs, refusedMs }: Flooded, bound: Bound): void {
  const wrong = [...statuses].filter(([status]) => status === null || ![200, 201, 429, 503].includes(status));
  assert.deepEqual(
    wrong,
    [],
    `A flood of ${what} was answered ${wrong.map(([status, count]) => `${status} ${count} times`)}.`,
  );
  const refusal = quantile(refusedMs, 0.5);
  assert.ok(refusal < bound.refusalMs, `Of a flood of ${what} a refusal took ${(refusal / 1_000).toFixed(1)} s.`);
  const slowest = quantile(acceptedMs, 1);
  assert.ok(
    slowest < bound.acceptedMs,
    `Of a flood of ${what} one was answered after ${(slowest / 1_000).toFixed(0)} s.`,
  );
}
