import assert from "node:assert/strict";
import { createClient, type ResellerClient } from "../client.ts";
import { parallel } from "../parallel.ts";
import { createLink, sell, type TestLink } from "../shop-link.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const buyers = 12;
const resellers = 3;

/** As SellAuth does. */
const triesMax = 3;
const againAfterMs = 5_000;

/** The time between two kills, at most. */
const aliveMsMax = 3_000;

export const drill: Drill<{ sales: number; kills: number }> = {
  number: "R29",
  promise: "a shop that repeats and races its sales through kills gets one order or none for each sale id",
  onPostgres: true,
  waitsMostly: true,
  sizes: { short: { sales: 200, kills: 3 }, long: { sales: 5_000, kills: 60 } },
  async run({ sales, kills }) {
    const server = await supervise({ environment: { RATE_LIMITS: "off" } });
    const shop = await openShop(server.url, resellers);
    const links = await Promise.all(shop.resellers.map((reseller: ResellerClient) => createLink(reseller, "reseller")));
    /** What the shop showed to the buyer of each sale. */
    const shown = new Map<string, string>();
    let asked = 0;
    let isOver = false;

    const buying = parallel(buyers, async () => {
      while (!isOver || asked < sales) {
        asked += 1;
        await deliver(`sale.${asked}`, links[asked % resellers] as TestLink);
      }
    });
    buying.catch(() => {});
    for (let killed = 0; killed < kills; killed += 1) {
      await Promise.race([Bun.sleep(Math.random() * aliveMsMax), buying]);
      await server.kill();
      await server.start();
    }
    isOver = true;
    await buying;

    for (const [saleId, keys] of shown) {
      const again = await ask(saleId, linkOf(saleId));
      assert.equal(again, keys, `${saleId} was delivered again with other keys.`);
    }
    const stored = await server.stored.count("orders WHERE sale_id IS NOT NULL");
    const distinct = await server.stored.count(
      "(SELECT DISTINCT sale_id FROM orders WHERE sale_id IS NOT NULL) AS sales",
    );
    assert.equal(stored, distinct, "A sale has two orders.");
    assert.ok(stored >= shown.size, "A sale that was delivered has no order.");
    assert.ok(stored <= asked, "There are orders of which no sale was asked.");
    const texts = [...shown.values()].flatMap((keys) => keys.split("\n"));
    const found = await server.stored.which(texts, "EXISTS (SELECT 1 FROM license_keys k WHERE k.key_string = value)");
    assert.equal(found.length, texts.length, "A key that was shown does not exist.");
    assert.equal(new Set(texts).size, texts.length, "A key was shown for two sales.");
    await server.stop();
    await server.stored.assertIntegrity();
    await server.close();
    return `${asked} sales, ${kills} kills: ${shown.size} delivered, ${stored} orders, none twice`;

    function linkOf(saleId: string): TestLink {
      return links[Number(saleId.split(".")[1]) % resellers] as TestLink;
    }

    /** Two calls at once, and again until one of them is delivered. */
    async function deliver(saleId: string, link: TestLink): Promise<void> {
      for (let tried = 0; tried < triesMax; tried += 1) {
        if (tried > 0) await Bun.sleep(againAfterMs);
        const keys = (await parallel(2, () => ask(saleId, link))).filter((text) => text !== null);
        for (const text of keys) {
          assert.equal(text, shown.get(saleId) ?? text, `${saleId} was delivered twice.`);
          shown.set(saleId, text);
        }
        if (keys.length > 0) return;
      }
    }

    /** The keys of a sale, or null where a kill or a restart kept the server from responding. */
    async function ask(saleId: string, link: TestLink): Promise<string | null> {
      const quantity = 1 + (saleId.length % 3);
      const response = await sell(createClient(server.url), link, saleId, quantity).catch(() => null);
      if (response === null || response.status === 503) return null;
      assert.equal(response.status, 200, `${saleId} got ${response.status} ${response.text}`);
      assert.equal(response.text.split("\n").length, quantity, `${saleId} has the wrong number of keys.`);
      return response.text;
    }
  },
};
