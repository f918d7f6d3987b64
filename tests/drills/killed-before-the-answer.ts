import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { parallel } from "../parallel.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const atOnce = 50;

/** A whole batch: the more there is to answer, the longer the way from the commit to the answer. */
const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 100 };

const commitMsMax = 10_000;

export const drill: Drill<{ kills: number }> = {
  number: "R7",
  promise:
    "one Idempotency-Key sent 50 times at once, the server killed between commit and answer, and again: charged once, the same keys answered",
  onPostgres: true,
  sizes: { short: { kills: 8 }, long: { kills: 300 } },
  async run({ kills }) {
    const server = await supervise();
    const { resellers } = await openShop(server.url, 1);
    const [reseller] = resellers;
    assert.ok(reseller);
    const send = (key: string, request: object = order) =>
      reseller.post("/api/reseller/keys/generate", request, { "idempotency-key": key });
    const seen = server.stored.engine === "sqlite" ? new Connection(server.file, { readonly: true }) : null;
    const committed = seen?.query<{ n: number }, []>("SELECT count(*) AS n FROM orders");
    let withoutAnswer = 0;
    // The first one warms the server, as the retries do before the next order.
    await firstAnswerMs(() => send("warm-up"));
    const answerMs = await firstAnswerMs(() => send("measured"));
    const ordersBefore = await server.stored.count("orders");

    for (let killed = 1; killed <= kills; killed += 1) {
      const key = `order-${killed}`;
      const asked = parallel(atOnce, () => send(key).catch(() => null));
      if (committed) {
        // Nothing of this process turns until the commit is seen and the server is gone: an answer would have to be faster.
        const lateAt = performance.now() + commitMsMax;
        while ((committed.get()?.n ?? 0) < ordersBefore + killed)
          assert.ok(performance.now() < lateAt, "The order was never committed.");
      } else {
        // A database elsewhere cannot be asked without a turn: so by chance, within the time to the first answer. What this process is late by makes some come after it.
        await Bun.sleep(Math.random() * answerMs);
      }
      process.kill(server.pid(), "SIGKILL");
      await server.kill();
      const first = (await asked).filter((answer) => answer !== null);
      if (first.length === 0) withoutAnswer += 1;

      await server.start();
      const again = await parallel(atOnce, () => send(key));
      assert.deepEqual(
        [...new Set(again.map(({ status }) => status))],
        [201],
        `A retry was answered: ${again[0]?.text}`,
      );
      const answers = new Set([...first, ...again].map(({ body }) => JSON.stringify(body.keys)));
      assert.equal(answers.size, 1, "Retries of one order were answered different keys.");
      const charged = (await server.stored.count("orders")) - ordersBefore - killed + 1;
      assert.equal(charged, 1, `Order ${killed} was charged ${charged} times.`);
      assert.equal((await send(key, { ...order, count: 1 })).status, 422, "The key was good for another order.");
    }
    await server.stop();
    await server.stored.holdWhole();
    seen?.close();
    await server.close();
    assert.ok(withoutAnswer > 0, "No kill came between a commit and its answer.");
    return `${kills} orders, each sent ${2 * atOnce} times around a kill, of which ${withoutAnswer} came before any answer: each charged once`;
  },
};

/** As long as the first of many answers to one order takes. */
async function firstAnswerMs(send: () => Promise<unknown>): Promise<number> {
  const askedAt = performance.now();
  let firstMs = Number.POSITIVE_INFINITY;
  await parallel(atOnce, async () => {
    await send();
    firstMs = Math.min(firstMs, performance.now() - askedAt);
  });
  return firstMs;
}
