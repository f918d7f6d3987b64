import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerMinute } from "../core/clock.ts";
import type { LedgerEntry } from "./ledger-schema.ts";

let panel: Panel;
let admin: Client;
const newClient = () => panel.newClient();

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(newClient);
});
afterAll(() => panel.close());

const ledgerOf = async (reseller: ResellerClient, query = ""): Promise<LedgerEntry[]> =>
  (await reseller.get(`/api/reseller/ledger${query}`)).body;
const grant = (reseller: ResellerClient, amount: number, note?: string) =>
  admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount, note });
const takeBack = (reseller: ResellerClient, ledgerId: number | undefined, amount?: number) =>
  admin.post(`/api/admin/resellers/${reseller.id}/credits/take-back`, { ledgerId, amount });
const buy = (reseller: ResellerClient, { days = 30, count = 1, key = "" }) =>
  reseller.post(
    "/api/reseller/keys/generate",
    { game: "FREE FIRE", deviceLimit: 1, days, count },
    key ? { "idempotency-key": key } : {},
  );

describe("the ledger", () => {
  test("has each change with its order, its author and the balance after it", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "night.owl", credits: 2.5 });
    await grant(reseller, 50, " Paid in cash ");
    const { orderId } = (await buy(reseller, { days: 5, count: 3 })).body;
    const entries = await ledgerOf(reseller);
    const none = { orderId: null, note: null, grantId: null, left: null };
    expect(entries).toMatchObject([
      { reason: "key_purchase", amount: -1.5, balance: 51, by: "night.owl", ...none, orderId },
      { reason: "admin_grant", amount: 50, balance: 52.5, by: "admin", ...none, note: "Paid in cash", left: 50 },
      { reason: "token_bonus", amount: 2.5, balance: 2.5, by: "night.owl", ...none },
    ]);
    expect((await admin.get(`/api/admin/resellers/${reseller.id}/ledger`)).body).toEqual(entries);
  });

  test("of a missing reseller is a 404, and a reseller sees only the own", async () => {
    for (const query of ["", "?limit=5", "?format=csv"]) {
      expect((await admin.get(`/api/admin/resellers/1/ledger${query}`)).status).toBe(404);
    }
    const other = await registerReseller(newClient, admin, { username: "penniless" });
    expect(await ledgerOf(other)).toEqual([]);
  });

  test("refuses invalid filters with a 422", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "wrong" });
    for (const query of ["from=yesterday", "to=2025-13-01", "reason=gift", "format=xml", "limit=0", "cursor=x"]) {
      expect([query, (await reseller.get(`/api/reseller/ledger?${query}`)).status]).toEqual([query, 422]);
    }
  });

  test("a formula in a note does not run in a spreadsheet", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "formula" });
    await grant(reseller, 1, '=HYPERLINK("x")');
    const { text, headers } = await reseller.get("/api/reseller/ledger?format=csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="latchkey-credits-formula-2025-03-05.csv"');
    expect(text).toContain(`,admin,"'=HYPERLINK(""x"")",,,\r\n`);
    const [row] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(row).toMatchObject({ action: "data_downloaded", target: "credits of formula", actor: { id: reseller.id } });
  });
});

describe("a grant", () => {
  test("is taken back in parts, at most what is left of it", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "overpaid", credits: 5 });
    await grant(reseller, 50);
    await grant(reseller, 10);
    const [other, wrong] = await ledgerOf(reseller);
    expect((await takeBack(reseller, wrong?.id, 20.5)).body).toMatchObject({
      message: "Credits taken back",
      reseller: { credits: 44.5 },
    });
    const tooMuch = await takeBack(reseller, wrong?.id, 29.6);
    expect([tooMuch.status, tooMuch.body.code]).toEqual([409, "NOTHING_LEFT"]);
    expect(tooMuch.body.message).toBe("At most 29.5 of this grant can be taken back.");
    expect((await takeBack(reseller, wrong?.id)).body.reseller.credits).toBe(15);
    expect((await takeBack(reseller, wrong?.id)).body.message).toBe("None of this grant can be taken back.");
    expect(await ledgerOf(reseller)).toMatchObject([
      { reason: "grant_taken_back", amount: -29.5, balance: 15, by: "admin", grantId: wrong?.id, left: null },
      { reason: "grant_taken_back", amount: -20.5, balance: 44.5, by: "admin", grantId: wrong?.id, left: null },
      { ...other, left: 10 },
      { ...wrong, left: 0 },
      { reason: "token_bonus", left: null },
    ]);
    const [row] = (await admin.get("/api/admin/audit?limit=1")).body;
    expect(row).toMatchObject({
      ...{ action: "grant_taken_back", target: "reseller overpaid" },
      details: { resellerId: reseller.id, amount: 29.5, balance: 15 },
    });
  });

  test("is taken back at most to a balance of 0, and also while the clock is ahead", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "spent", credits: 0 });
    await grant(reseller, 10);
    const [granted] = await ledgerOf(reseller);
    await buy(reseller, { days: 5, count: 15 });
    expect((await takeBack(reseller, granted?.id, 3)).body.message).toBe(
      "At most 2.5 of this grant can be taken back.",
    );
    panel.clock.isAhead = true;
    const taken = await takeBack(reseller, granted?.id);
    panel.clock.isAhead = false;
    expect(taken.body.reseller.credits).toBe(0);
    expect((await takeBack(reseller, granted?.id)).status).toBe(409);
    await grant(reseller, 1);
    expect((await takeBack(reseller, granted?.id)).body.reseller.credits).toBe(0);
  });

  test("is a 404 if the entry is no grant to this reseller, and a finer amount than a tenth is a 422", async () => {
    const reseller = await registerReseller(newClient, admin, { username: "granted", credits: 5 });
    const other = await registerReseller(newClient, admin, { username: "neighbour", credits: 5 });
    await grant(other, 10);
    const [[ofOther], [bonus]] = [await ledgerOf(other), await ledgerOf(reseller)];
    for (const id of [ofOther?.id, bonus?.id, 999_999]) {
      expect((await takeBack(reseller, id)).body.code).toBe("NOT_FOUND");
    }
    expect((await takeBack({ ...reseller, id: 1 }, ofOther?.id)).status).toBe(404);
    for (const amount of [0, -1, 0.25]) expect((await takeBack(other, ofOther?.id, amount)).status).toBe(422);
    expect((await takeBack(other, undefined)).body.errors[0].path).toBe("ledgerId");
  });
});

const operation = fc.oneof(
  fc.record({ what: fc.constant("grant" as const), amount: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    what: fc.constant("buy" as const),
    days: fc.constantFrom(5, 10, 20, 30, 60),
    count: fc.integer({ min: 1, max: 9 }),
    key: fc.constantFrom("", "a", "b"),
  }),
  fc.record({
    what: fc.constant("takeBack" as const),
    of: fc.nat(),
    amount: fc.option(fc.constantFrom(0.1, 5, 30), { nil: undefined }),
  }),
  fc.record({ what: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ what: fc.constant("revoke" as const), of: fc.nat() }),
);

/** Refused purchases (too few credits, a reused key) and retries must not leave a row. */
async function carryOut(
  reseller: ResellerClient,
  each: typeof operation extends fc.Arbitrary<infer Each> ? Each : never,
) {
  if (each.what === "grant") await grant(reseller, each.amount);
  else if (each.what === "buy") await buy(reseller, each);
  else if (each.what === "takeBack") {
    const grants = (await ledgerOf(reseller)).filter(({ left }) => left !== null);
    await takeBack(reseller, grants[each.of % Math.max(1, grants.length)]?.id ?? 1, each.amount);
  } else if (each.what === "wait") panel.clock.now += each.minutes * msPerMinute;
  else {
    const orders = (await reseller.get("/api/reseller/orders")).body as { id: number; count: number }[];
    const order = orders[each.of % Math.max(1, orders.length)];
    if (order) await reseller.post(`/api/reseller/orders/${order.id}/revoke-unused`, { count: order.count });
  }
}

test("after random operations each row's balance is the sum of the changes so far, and orders, keys and ledger agree", async () => {
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 60 }), async (operations) => {
      serial += 1;
      const reseller = await registerReseller(newClient, admin, { username: `random.${serial}`, credits: 12.5 });
      for (const each of operations) await carryOut(reseller, each);

      const entries = await ledgerOf(reseller);
      let balance = 0;
      for (const entry of entries.toReversed()) {
        balance = Math.round((balance + entry.amount) * 10) / 10;
        expect(entry.balance).toBe(balance);
      }
      expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(balance);

      for (const { id, amount, left } of entries.filter(({ reason }) => reason === "admin_grant")) {
        const taken = entries.filter(({ grantId }) => grantId === id).reduce((sum, entry) => sum - entry.amount, 0);
        expect(left).toBeCloseTo(amount - taken, 5);
        expect(left).toBeGreaterThanOrEqual(0);
      }

      const orders = (await reseller.get("/api/reseller/orders")).body as { id: number; cost: number; count: number }[];
      const paid = entries.filter(({ reason }) => reason === "key_purchase");
      expect(paid.map(({ orderId, amount }) => [orderId, -amount])).toEqual(orders.map(({ id, cost }) => [id, cost]));
      const keys = (await reseller.get("/api/reseller/keys")).body as { orderId: number }[];
      const ofOrder = (id: number) => keys.filter(({ orderId }) => orderId === id).length;
      expect(orders.map(({ id }) => ofOrder(id))).toEqual(orders.map(({ count }) => count));
      await expectNarrowed(reseller, entries);
    }),
    { numRuns: 8, seed: 11, endOnFailure: true },
  );
});

/** Filters, pages and the file have the same rows as the whole list. */
async function expectNarrowed(reseller: ResellerClient, entries: LedgerEntry[]): Promise<void> {
  const middle = entries[Math.floor(entries.length / 2)]?.at ?? isoOf(panel.clock.now);
  const bought = await ledgerOf(reseller, "?reason=key_purchase");
  expect(bought).toEqual(entries.filter(({ reason }) => reason === "key_purchase"));
  expect(await ledgerOf(reseller, `?from=${middle}&reason=all`)).toEqual(entries.filter(({ at }) => at >= middle));
  expect(await ledgerOf(reseller, `?to=${middle}`)).toEqual(entries.filter(({ at }) => at < middle));

  const paged: LedgerEntry[] = [];
  let next: string | null = "/api/reseller/ledger?limit=3";
  while (next) {
    const page = await reseller.get(next);
    paged.push(...page.body);
    next = page.headers.get("link")?.match(/^<(.+)>; rel="next"$/)?.[1] ?? null;
  }
  expect(paged).toEqual(entries);

  const [columns, ...lines] = (await reseller.get("/api/reseller/ledger?format=csv")).text.trimEnd().split("\r\n");
  expect(columns).toBe("id,at,reason,amount,balance,order,by,note,grant,key,external_id");
  expect(lines).toEqual(
    entries.map(({ id, at, reason, amount, balance, orderId, by, grantId, keyId }) =>
      [id, at, reason, amount, balance, orderId ?? "", by, "", grantId ?? "", keyId ?? "", ""].join(),
    ),
  );
}
