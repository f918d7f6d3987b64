import assert from "node:assert/strict";
import { type ApiResponse, createClient, type ResellerClient } from "../client.ts";
import { parallel } from "../parallel.ts";
import { type PostgresPair, startPostgresPair } from "../postgres-pair.ts";
import { NoPostgres } from "../postgres-server.ts";
import { runLatchkey, sharedSecret, startLatchkey } from "../process.ts";
import { startTcpProxy } from "../tcp-proxy.ts";
import { type Drill, type Form, NotRun } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";

const processes = 2;
const buyers = 6;
const verifiers = 4;
const creditsEach = 1_000_000;

/** Sales before each failover. */
const salesMin = 60;

/** How far the standby lags when the primary dies. */
const lagMs = 300;

/** The time from the promotion until each process sells and verifies again. */
const backMsMax: Record<Form, number> = { short: 30_000, proof: 30_000, long: 10_000 };

/** How often a refused call is sent again. */
const retryMs = 100;

const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };

export const drill: Drill<{ failovers: number }> = {
  number: "R25",
  promise:
    "when the database's primary is killed and its synchronous standby promoted, nothing acknowledged is lost or doubled, no verdict is wrong, and two processes sell on within 10 s",
  sizes: { short: { failovers: 2 }, long: { failovers: 50 } },
  waitsMostly: true,
  async run({ failovers }, form) {
    const pair = await startPostgresPair().catch((error) => {
      throw error instanceof NoPostgres ? new NotRun(error.message) : error;
    });
    const environment = { DATABASE_URL: pair.url, SECRET: sharedSecret };
    const servers = await parallel(processes, () => startLatchkey({ environment }));
    const proxy = await startTcpProxy(servers.map(({ url }) => Number(new URL(url).port)));
    const { resellers } = await openShop(`http://127.0.0.1:${proxy.port}`, buyers);
    const market = openMarket(resellers, `http://127.0.0.1:${proxy.port}`);
    const backMs: number[] = [];
    for (let failover = 1; failover <= failovers; failover += 1) {
      await market.untilSold(salesMin, form);
      await failOver(pair);
      const promotedAt = performance.now();
      await Promise.all([market.untilSold(salesMin, form), ...servers.map(({ url }) => untilVerifying(url, form))]);
      backMs.push(performance.now() - promotedAt);
      if (failover < failovers) await pair.addStandby();
    }
    const found = await market.close();
    await untilTrue(form, "The database's notifications do not arrive again.", () =>
      servers.every(({ output }) => output().split("notifications are arriving again").length > failovers),
    );
    await assertPaidOnce(resellers, found.keys);
    const { code, stderr } = await runLatchkey(["check"], { environment });
    assert.equal(code, 0, stderr);
    await Promise.all(servers.map((server) => server.stop()));
    await proxy.stop();
    await pair.stop();
    return [
      `${failovers} failovers, ${found.keys.size} sales and ${found.verdicts.toLocaleString("en-US")} verdicts`,
      `0 lost, doubled or wrong, ${found.refusals} calls refused meanwhile`,
      `all works at most ${Math.round(Math.max(...backMs))} ms after the promotion`,
    ].join("; ");
  },
};

/** The standby lags, so that a commit that does not wait for it is lost. */
async function failOver(pair: PostgresPair): Promise<void> {
  pair.freezeStandby();
  await Bun.sleep(lagMs);
  await pair.killPrimary();
  await pair.promote();
}

async function untilVerifying(url: string, form: Form): Promise<void> {
  const client = createClient(url);
  await untilTrue(form, "No verification works again.", async () => {
    const { status } = await client.post("/api/verify", {
      key: "NONE-AAAAA-BBBBB-CCCCC",
      deviceId: "a",
      game: order.game,
    });
    return status === 200;
  });
}

async function untilTrue(form: Form, sentence: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const lateAt = performance.now() + backMsMax[form];
  while (!(await isTrue())) {
    assert.ok(performance.now() < lateAt, sentence);
    await Bun.sleep(retryMs);
  }
}

type Status = "ACTIVE" | "REVOKED";

/** Resellers buy and revoke, and repeat each call until it is acknowledged, while their keys are verified. */
function openMarket(resellers: ResellerClient[], url: string) {
  /** The keys by their last acknowledged status; null while they are being revoked. */
  const keys = new Map<string, Status | null>();
  const client = createClient(url);
  let sales = 0;
  let verdicts = 0;
  let refusals = 0;
  let isOver = false;
  const working = Promise.all([...resellers.map(sell), ...Array.from({ length: verifiers }, verify)]);
  // It is awaited at the end; until then a failure must not be an unhandled rejection.
  working.catch(() => {});

  return {
    /** Waits for more sales from now on. */
    async untilSold(count: number, form: Form): Promise<void> {
      const before = sales;
      const enough = untilTrue(form, "Sales do not go on.", () => sales >= before + count);
      await Promise.race([enough, working]);
    },
    async close() {
      isOver = true;
      await working;
      return { keys, verdicts, refusals };
    },
  };

  async function sell(reseller: ResellerClient): Promise<void> {
    while (!isOver) {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const bought = await untilAcknowledged(() => reseller.post("/api/reseller/keys/generate", order, headers));
      assert.equal(bought.status, 201, bought.text);
      const [{ id, keyString }] = bought.body.keys;
      assert.ok(!keys.has(keyString), "A key was sold twice.");
      keys.set(keyString, "ACTIVE");
      sales += 1;
      if (sales % 2 === 0) await revoke(reseller, id, keyString);
    }
  }

  async function revoke(reseller: ResellerClient, id: number, keyString: string): Promise<void> {
    keys.set(keyString, null);
    const { status, body } = await untilAcknowledged(() => reseller.post(`/api/reseller/keys/${id}/revoke`));
    // A revocation that got no response may have been committed.
    assert.ok(status === 200 || body.code === "KEY_ALREADY_REVOKED", JSON.stringify(body));
    keys.set(keyString, "REVOKED");
  }

  async function verify(): Promise<void> {
    while (!isOver) {
      const known = [...keys];
      const [key, status] = known[Math.floor(Math.random() * known.length)] ?? [];
      if (!key || !status) {
        await Bun.sleep(1);
        continue;
      }
      const { body } = await untilAcknowledged(() =>
        client.post("/api/verify", { key, deviceId: "a", game: order.game }),
      );
      verdicts += 1;
      if (keys.get(key) === status)
        assert.equal(body.valid, status === "ACTIVE", `A key that is ${status}: ${body.code}`);
    }
  }

  async function untilAcknowledged(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    for (;;) {
      const response = await send();
      if (response.status !== 503) return response;
      assert.ok(response.headers.has("retry-after"), "A 503 has no Retry-After.");
      refusals += 1;
      await Bun.sleep(retryMs);
    }
  }
}

/** Every acknowledged sale and revocation is there, and nothing else. */
async function assertPaidOnce(resellers: ResellerClient[], acknowledged: Map<string, Status | null>): Promise<void> {
  const stored = new Map<string, Status>();
  for (const reseller of resellers) {
    const own: { keyString: string; status: Status }[] = (await reseller.get("/api/reseller/keys")).body;
    for (const { keyString, status } of own) stored.set(keyString, status);
    const { credits } = (await reseller.get("/api/reseller/profile")).body;
    assert.equal(credits, creditsEach - own.length, `${reseller.username} did not pay once for each key.`);
  }
  const lost = [...acknowledged].filter(([key, status]) => stored.get(key) !== status);
  assert.deepEqual(
    lost.slice(0, 3),
    [],
    `${lost.length} of ${acknowledged.size} acknowledged sales or revocations are lost.`,
  );
  assert.equal(stored.size, acknowledged.size, "More keys exist than were acknowledged.");
}
