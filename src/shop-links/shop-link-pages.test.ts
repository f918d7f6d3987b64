import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { type Preset, presetNames, presetOf, presets } from "./shop-link-form.ts";

/** The handbook's pages for sellers with a shop: each one's example is a sale. */
let panel: Panel;
let seller: Client;
beforeAll(async () => {
  panel = await openPanel();
  seller = await registerReseller(panel.newClient, await signInAdmin(panel.newClient), {
    username: "night.owl",
    credits: 100,
  });
});
afterAll(() => panel.close());

const pageOf = (name: string) => readFileSync(join(import.meta.dir, "../../docs/shop-links", `${name}.md`), "utf8");

/** The three paths that the page of other shops names for its example. */
function readIn(page: string) {
  const [, order = "", line = "", quantity = ""] =
    page.match(/they are\s`([\w.]+)`,\s`([\w.]+)`\sand\s`([\w.]+)`/) ?? [];
  return { signature: presets.other.signature, saleId: [order, line], quantity };
}

test.each(Object.keys(presets) as Preset[])("the example on the handbook's page %s is sold, once", async (name) => {
  const page = pageOf(name);
  expect(page).toContain(presetNames[name].toLowerCase() === "another shop" ? "Another shop" : presetNames[name]);
  const [, body = ""] = page.match(/<!-- body -->\n\n```json\n(.+)\n```/) ?? [];
  const contract = name === "other" ? readIn(page) : presets[name];
  const made = await seller.post("/api/reseller/shop-links", {
    ...{ name, game: "FREE FIRE", durationId: await anyDuration(), deviceLimit: 1, ...contract },
    ...{ secret: "a secret of the shop".replaceAll(" ", "-"), password: "test-reseller-password" },
  });
  expect([made.status, presetOf(made.body)]).toEqual([201, name]);
  const { header, algorithm } = contract.signature;
  const sell = async (text = body) => {
    const signature = createHmac(algorithm, made.body.secret).update(text).digest("hex");
    return panel.newClient().post(new URL(made.body.url).pathname, text, { [header]: signature });
  };
  const sold = await sell();
  expect([sold.status, sold.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  const [order] = (await seller.get("/api/reseller/orders")).body;
  const quantity = valueAt(body, contract.quantity ?? "");
  expect(order).toMatchObject({
    ...{ count: quantity, shopLink: { id: made.body.id, name } },
    saleId: contract.saleId.map((path) => valueAt(body, path)).join(":"),
  });
  const { keys } = (await seller.get(`/api/reseller/orders/${order.id}`)).body;
  expect(sold.text.split("\n")).toEqual(keys.map(({ keyString }: { keyString: string }) => keyString));
  expect(quantity).toBeGreaterThan(1);
  // The shop calls again, or its page is not followed: the text is the same to the byte, and nothing more is sold.
  expect((await sell()).text).toBe(sold.text);
  expect((await sell(body.replace("{", "{ "))).text).toBe(sold.text);
});

async function anyDuration(): Promise<number> {
  const { durations } = (await seller.get("/api/catalogue")).body;
  return durations[0].id;
}

function valueAt(body: string, path: string): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: any JSON.
  return path.split(".").reduce((value: any, name) => value[name], JSON.parse(body));
}
