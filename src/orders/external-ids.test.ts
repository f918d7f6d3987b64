import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Client,
  createApiKey,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let serial = 0;
beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "shop", credits: 500 });
});
afterAll(() => panel.close());

const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 2 };
const buy = (sent: object, client: Client = reseller) => client.post("/api/reseller/keys/generate", sent);
const make = (sent: object) => admin.post("/api/admin/keys/generate", sent);
const newId = () => {
  serial += 1;
  return `INV-${serial}`;
};
const ordersNamed = async (externalId: string) =>
  (await reseller.get("/api/reseller/orders")).body.filter(
    (each: { externalId: string }) => each.externalId === externalId,
  );

describe("an order with an externalId", () => {
  test("is bought once: the same body returns the first response, whatever happened since", async () => {
    const externalId = newId();
    const first = await buy({ ...order, externalId });
    expect(first.status).toBe(201);
    const [{ id, keyString }] = first.body.keys;
    await panel.newClient().post("/api/verify", { key: keyString, deviceId: "phone", game: "FREE FIRE" });
    await reseller.post(`/api/reseller/keys/${id}/extend`, { days: 30 });
    await reseller.call("PUT", `/api/reseller/keys/${id}/device-limit`, { deviceLimit: 2 });
    await reseller.post(`/api/reseller/keys/${id}/revoke`);
    await buy(order);
    panel.clock.now += 100 * msPerDay;
    admin = await signInAdmin(panel.newClient);
    await reseller.post("/api/auth/reseller/login", { username: "shop", password: "test-reseller-password" });
    const { count, days, game, deviceLimit } = order;
    const again = await buy({ externalId, count, days, game, deviceLimit });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await ordersNamed(externalId)).toHaveLength(1);
  });

  test("keeps its id from other bodies, and leaves it free if it is refused", async () => {
    const externalId = newId();
    expect((await buy({ ...order, externalId, deviceLimit: 3 })).status).toBe(422);
    expect((await buy({ ...order, externalId, count: 100, days: 60 })).body.code).toBe("CREDITS_SHORT");
    expect((await buy({ ...order, externalId })).status).toBe(201);
    const { status, body } = await buy({ ...order, externalId, count: 1 });
    expect([status, body]).toEqual([
      422,
      { code: "EXTERNAL_ID_REUSED", message: "This externalId was already used for another order." },
    ]);
  });

  test("is told apart by case and by account", async () => {
    const externalId = `inv-${newId()}`;
    const other = await registerReseller(panel.newClient, admin, { username: "other", credits: 50 });
    const ids = [
      (await buy({ ...order, externalId })).body.orderId,
      (await buy({ ...order, externalId: externalId.toUpperCase() })).body.orderId,
      (await buy({ ...order, externalId }, other)).body.orderId,
    ];
    expect(new Set(ids).size).toBe(3);
  });

  test("is found by a part of its id, ignoring case", async () => {
    const externalId = "Ünïque/2025#77";
    const { orderId } = (await buy({ ...order, externalId })).body;
    expect(await ordersNamed(externalId)).toMatchObject([{ id: orderId }]);
    const search = encodeURIComponent("ÜNÏQUE/2025");
    expect((await reseller.get(`/api/reseller/orders?search=${search}`)).body).toMatchObject([{ id: orderId }]);
    expect((await reseller.get(`/api/reseller/search?q=${search}`)).body.orders).toMatchObject([{ id: orderId }]);
    expect((await reseller.get(`/api/reseller/search?q=${"a".repeat(100)}`)).status).toBe(200);
    expect((await reseller.get(`/api/reseller/orders/${orderId}`)).body.externalId).toBe(externalId);
  });

  test.each(["a b", "a".repeat(101), "line\nbreak", 7])(
    "has 1 to 100 visible characters, so %j is refused",
    async (externalId) => {
      const { status, body } = await buy({ ...order, externalId });
      expect([status, body.errors[0]]).toEqual([
        422,
        { path: "externalId", message: "externalId must be 1 to 100 visible characters" },
      ]);
    },
  );

  test("is bought once by many calls at the same time", async () => {
    const externalId = newId();
    const program = withApiKey(
      panel.newClient(),
      await createApiKey(reseller, "reseller", { scopes: ["keys:order"], creditsPerDay: 6 }),
    );
    const responses = await Promise.all(Array.from({ length: 20 }, () => buy({ ...order, externalId }, program)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(await ordersNamed(externalId)).toHaveLength(1);
  });

  test("of an admin, and one that starts at first use, is rebuilt too", async () => {
    const expiryDate = new Date(panel.clock.now + 30 * msPerDay).toISOString();
    const sent = { game: "FREE FIRE", deviceLimit: 5, expiryDate, count: 1, externalId: newId() };
    const first = await make(sent);
    await admin.post(`/api/admin/keys/${first.body.keys[0].id}/extend`, { hours: 24 });
    panel.clock.now += msPerDay;
    expect((await make(sent)).body).toEqual(first.body);
    const waiting = { ...order, starts: "first_use", externalId: newId() };
    const bought = await buy(waiting);
    await panel
      .newClient()
      .post("/api/verify", { key: bought.body.keys[0].keyString, deviceId: "a", game: "FREE FIRE" });
    expect((await buy(waiting)).body).toEqual(bought.body);
  });
});

describe("an extension with an externalId", () => {
  const bought = async (): Promise<{ id: number; keyString: string }> =>
    (await buy({ ...order, count: 1 })).body.keys[0];
  const extend = (id: number, sent: object, client: Client = reseller) =>
    client.post(`/api/reseller/keys/${id}/extend`, { days: 30, ...sent });
  const ledger = async () => (await reseller.get("/api/reseller/ledger")).body;

  test("is paid once: the same body returns the first response, with the key as it is now", async () => {
    const [externalId, key] = [newId(), await bought()];
    const first = await extend(key.id, { externalId });
    expect([first.status, first.body]).toMatchObject([200, { message: "Key extended successfully", cost: 3 }]);
    expect((await ledger())[0]).toMatchObject({ keyId: key.id, amount: -3, externalId });
    await extend(key.id, {});
    await reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    const [before, { message, cost, credits }] = [await ledger(), first.body];
    const { status, body } = await extend(key.id, { externalId, cost: 0 });
    expect([status, body]).toMatchObject([200, { message, cost, credits, key: { id: key.id, status: "REVOKED" } }]);
    expect(body.key.expiryDate > first.body.key.expiryDate).toBe(true);
    expect(await ledger()).toEqual(before);
    expect(before[0].externalId).toBeNull();
  });

  test("shares its ids with orders, and keeps them from other keys and bodies", async () => {
    const [key, other, externalId, ordered] = [await bought(), await bought(), newId(), newId()];
    const reused = (what: string) => ({
      status: 422,
      body: { code: "EXTERNAL_ID_REUSED", message: `This externalId was already used for another ${what}.` },
    });
    await extend(key.id, { externalId });
    expect(await extend(key.id, { externalId, days: 60 })).toMatchObject(reused("extension"));
    expect(await extend(other.id, { externalId })).toMatchObject(reused("extension"));
    expect(await buy({ ...order, externalId })).toMatchObject(reused("extension"));
    await buy({ ...order, externalId: ordered });
    expect(await extend(key.id, { externalId: ordered })).toMatchObject(reused("order"));
    const rival = await registerReseller(panel.newClient, admin, { username: "rival", credits: 50 });
    expect((await buy({ ...order, externalId }, rival)).status).toBe(201);
  });

  test("leaves its id free if it is refused, and admins send none", async () => {
    const [key, externalId] = [await bought(), newId()];
    expect((await extend(key.id, { externalId, cost: 1 })).body.code).toBe("COST_CHANGED");
    expect((await extend(key.id, { externalId: "a b" })).status).toBe(422);
    expect((await extend(key.id, { externalId, days: 60 })).status).toBe(200);
    const free = () => admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 1, externalId });
    const [first, second] = [await free(), await free()];
    expect(second.body.key.expiryDate > first.body.key.expiryDate).toBe(true);
  });

  test("is kept also where nothing was charged", async () => {
    const { body } = await admin.post("/api/admin/price-lists", {
      name: "Free of charge",
      prices: [{ gameId: 3, durationId: 4, deviceLimit: 1, credits: 0 }],
    });
    const path = `/api/admin/resellers/${reseller.id}/price-list`;
    const [externalId, key] = [newId(), await bought()];
    await admin.call("PUT", path, { priceListId: body.id });
    const first = await extend(key.id, { externalId });
    expect(first.body).toMatchObject({ cost: 0 });
    expect((await extend(key.id, { externalId })).body).toEqual(first.body);
    await admin.call("PUT", path, { priceListId: 1 });
  });

  test("lets both searches find its key, and not those of another reseller", async () => {
    const [externalId, { id }] = ["Rénewal/2026#9", await bought()];
    await extend(id, { externalId });
    const q = `q=${encodeURIComponent("RÉNEWAL/2026")}`;
    for (const path of ["reseller", "admin"]) {
      const client = path === "admin" ? admin : reseller;
      expect((await client.get(`/api/${path}/search?${q}`)).body.keys).toMatchObject([{ id, foundBy: "externalId" }]);
    }
    const stranger = await registerReseller(panel.newClient, admin, { username: "stranger", credits: 1 });
    expect((await stranger.get(`/api/reseller/search?${q}`)).body.keys).toEqual([]);
  });

  test("is paid once by many calls at the same time", async () => {
    const [externalId, key] = [newId(), await bought()];
    const responses = await Promise.all(Array.from({ length: 20 }, () => extend(key.id, { externalId })));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await ledger()).filter((each: { externalId: string }) => each.externalId === externalId)).toHaveLength(1);
  });
});
