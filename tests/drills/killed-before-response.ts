import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { parallel } from "../parallel.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const atOnce = 50;

/** A whole batch: the larger the response, the longer the time from commit to response. */
const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 100 };

const commitMsMax = 10_000;

export const drill: Drill<{ kills: number }> = {
  number: "R7",
  promise:
    "an order sent 50 times with one Idempotency-Key, then again after the server is killed between commit and response, is charged once and returns the same keys",
  onPostgres: true,
  sizes: { short: { kills: 8 }, long: { kills: 300 } },
  async run({ kills }) {
    const server = await supervise();
    const { resellers } = await openShop(server.url, 1);
    const [reseller] = resellers;
    assert.ok(reseller);
    const send = (key: string, request: object = order) =>
      reseller.post("/api/reseller/keys/generate", request, { "idempotency-key": key });
    const observer = server.stored.engine === "sqlite" ? new Connection(server.file, { readonly: true }) : null;
    const committed = observer?.query<{ n: number }, []>("SELECT count(*) AS n FROM orders");
    let withoutResponse = 0;
    // The first order warms up the server, as the retries do before each later order.
    await firstResponseMs(() => send("warm-up"));
    const responseMs = await firstResponseMs(() => send("measured"));
    const ordersBefore = await server.stored.count("orders");

    for (let killed = 1; killed <= kills; killed += 1) {
      const key = `order-${killed}`;
      const sent = parallel(atOnce, () => send(key).catch(() => null));
      if (committed) {
        // This loop blocks the process until the commit is visible and the server is killed, so almost no response gets
        // through.
        const lateAt = performance.now() + commitMsMax;
        while ((committed.get()?.n ?? 0) < ordersBefore + killed)
          assert.ok(performance.now() < lateAt, "The order was never committed.");
      } else {
        // Polling PostgreSQL would yield to the event loop, so the kill comes at a random time before the first
        // response is due.
        await Bun.sleep(Math.random() * responseMs);
      }
      process.kill(server.pid(), "SIGKILL");
      await server.kill();
      const first = (await sent).filter((response) => response !== null);
      if (first.length === 0) withoutResponse += 1;

      await server.start();
      const again = await parallel(atOnce, () => send(key));
      assert.deepEqual([...new Set(again.map(({ status }) => status))], [201], `A retry got: ${again[0]?.text}`);
      const responses = new Set([...first, ...again].map(({ body }) => JSON.stringify(body.keys)));
      assert.equal(responses.size, 1, "Retries of one order returned different keys.");
      const charged = (await server.stored.count("orders")) - ordersBefore - killed + 1;
      assert.equal(charged, 1, `Order ${killed} was charged ${charged} times.`);
      assert.equal((await send(key, { ...order, count: 1 })).status, 422, "The key was accepted for another order.");
    }
    await server.stop();
    await server.stored.assertIntegrity();
    observer?.close();
    await server.close();
    assert.ok(withoutResponse > 0, "No kill came between a commit and its response.");
    return `${kills} orders, each sent ${2 * atOnce} times around a kill, of which ${withoutResponse} came before any response: each charged once`;
  },
};

/** The time until the first of many responses to one order. */
async function firstResponseMs(send: () => Promise<unknown>): Promise<number> {
  const sentAt = performance.now();
  let firstMs = Number.POSITIVE_INFINITY;
  await parallel(atOnce, async () => {
    await send();
    firstMs = Math.min(firstMs, performance.now() - sentAt);
  });
  return firstMs;
}
