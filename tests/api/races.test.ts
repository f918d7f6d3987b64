import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { parallel } from "../parallel.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

/** The number of people who register at once. `RACERS` changes it. */
const racers = Number(process.env.RACERS ?? 30);

let latchkey: Latchkey;
let admin: Client;
const newClient = () => createClient(latchkey.url);
const withStatus = (responses: { status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
});
afterAll(() => latchkey.stop());

async function adminKey(deviceLimit: number) {
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit, expiryDate, count: 1 };
  return (await admin.post("/api/admin/keys/generate", order)).body.keys[0];
}

test.each([1, 2, 100])(
  "of 200 devices that race for a key with the limit %d, exactly the limit connect",
  async (limit) => {
    const key = await adminKey(limit);
    const responses = await parallel(200, (index) =>
      newClient().post("/api/verify", { key: key.keyString, deviceId: `phone-${index}`, game: "FREE FIRE" }),
    );
    expect(responses.filter(({ body }) => body.valid).length).toBe(limit);
    expect(responses.filter(({ body }) => body.code === "DEVICE_LIMIT_REACHED").length).toBe(200 - limit);
    const { body } = await admin.get(`/api/admin/keys/${key.id}/details`);
    expect([body.deviceCount, body.devices.length]).toEqual([limit, limit]);
  },
);

test("one device that verifies 200 times at once takes one slot", async () => {
  const key = await adminKey(2);
  const request = { key: key.keyString, deviceId: "the-phone", game: "FREE FIRE" };
  const responses = await parallel(200, () => newClient().post("/api/verify", request));
  expect(responses.every(({ body }) => body.valid && body.currentDevices === 1)).toBe(true);
  expect((await admin.get(`/api/admin/keys/${key.id}/details`)).body.devices).toHaveLength(1);
});

test("of 100 purchases with credits for 7 keys, exactly 7 succeed", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "spender", credits: 7 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
  const responses = await parallel(100, () => reseller.post("/api/reseller/keys/generate", order));
  expect([withStatus(responses, 201), withStatus(responses, 402)]).toEqual([7, 93]);
  expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(0);
  expect((await reseller.get("/api/reseller/keys")).body).toHaveLength(7);
});

test("of 20 calls that take a grant back while it is spent, all together take no more than was left", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "overpaid", credits: 30 });
  await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 20 });
  const [{ id: ledgerId }] = (await reseller.get("/api/reseller/ledger")).body;
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 1 };
  const buying = parallel(20, () => reseller.post("/api/reseller/keys/generate", order));
  const taking = parallel(20, (index) =>
    admin.post(`/api/admin/resellers/${reseller.id}/credits/take-back`, {
      ledgerId,
      ...(index % 4 > 0 && { amount: 7 }),
    }),
  );
  const [bought, taken] = [await buying, await taking];
  expect(withStatus(bought, 201) + withStatus(bought, 402)).toBe(20);
  expect(withStatus(taken, 200) + withStatus(taken, 409)).toBe(20);
  const ledger: { amount: number; balance: number; grantId: number | null }[] = (
    await reseller.get("/api/reseller/ledger")
  ).body;
  const takeBacks = ledger.filter(({ grantId }) => grantId === ledgerId);
  expect(takeBacks).toHaveLength(withStatus(taken, 200));
  expect(takeBacks.reduce((sum, { amount }) => sum - amount, 0)).toBeWithin(1, 21);
  expect(ledger.every(({ balance }) => balance >= 0)).toBe(true);
  const { credits } = (await reseller.get("/api/reseller/profile")).body;
  expect(ledger.reduce((sum, { amount }) => sum + amount, 0)).toBe(credits);
});

test(`of ${racers} people who register with one token, one gets an account and the bonus`, async () => {
  const issued = await admin.post("/api/admin/tokens/generate", { credits: 10 });
  const referralToken = issued.body.token.token;
  const responses = await parallel(racers, (index) =>
    newClient().post("/api/auth/reseller/register", { username: `racer${index}`, password: "secret1", referralToken }),
  );
  expect(withStatus(responses, 201)).toBe(1);
  // Requests beyond the queue for password hashes get a 503.
  expect(responses.every(({ status }) => [201, 409, ...(racers > 40 ? [503] : [])].includes(status))).toBe(true);
  const found = (await admin.get("/api/admin/resellers?search=racer")).body;
  expect(found.map(({ credits }: { credits: number }) => credits)).toEqual([10]);
});

test("of 30 people who register one name, one gets it", async () => {
  const tokens = await parallel(30, () => admin.post("/api/admin/tokens/generate", {}));
  const responses = await parallel(30, (index) =>
    newClient().post("/api/auth/reseller/register", {
      username: index % 2 ? "Same.Name" : "same.name",
      password: "secret1",
      referralToken: tokens[index]?.body.token.token,
    }),
  );
  expect([withStatus(responses, 201), withStatus(responses, 409)]).toEqual([1, 29]);
  const used = (await admin.get("/api/admin/tokens?status=used&search=same.name")).body;
  expect(used).toHaveLength(1);
});

test("one Idempotency-Key sent 50 times at once is charged once", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "retrier", credits: 100 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 3 };
  const headers = { "idempotency-key": "order-1" };
  const responses = await parallel(50, () => reseller.post("/api/reseller/keys/generate", order, headers));
  expect(withStatus(responses, 201)).toBe(50);
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(91);
  const other = await reseller.post("/api/reseller/keys/generate", { ...order, count: 4 }, headers);
  expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
});

test("a refusal is not remembered under an Idempotency-Key", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "poor", credits: 0 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
  const headers = { "idempotency-key": "again" };
  expect((await reseller.post("/api/reseller/keys/generate", order, headers)).status).toBe(402);
  await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 1 });
  expect((await reseller.post("/api/reseller/keys/generate", order, headers)).status).toBe(201);
});

test("of 20 purchases of one custom key, one succeeds and only that one is charged", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "namer", credits: 20 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
  const responses = await parallel(20, (index) =>
    reseller.post("/api/reseller/keys/generate", { ...order, keyString: index % 2 ? "MY-OWN-KEY" : "my-own-key" }),
  );
  expect([withStatus(responses, 201), withStatus(responses, 409)]).toEqual([1, 19]);
  expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(19);
});

test("while an order's unused keys are revoked, each connecting device either keeps its key or is refused", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "cleaner", credits: 20 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 20 };
  const { orderId, keys } = (await reseller.post("/api/reseller/keys/generate", order)).body;
  const connecting = parallel(20, (index) =>
    newClient().post("/api/verify", { key: keys[index].keyString, deviceId: "phone", game: "FREE FIRE" }),
  );
  const revoking = parallel(20, (index) =>
    reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: index + 1 }),
  );
  const connected = (await connecting).map(({ body }) => body.valid);
  const revoked = (await revoking).filter(({ status }) => status === 200).map(({ body }) => body.revokedCount);
  expect(revoked.length).toBeLessThanOrEqual(1);
  expect(connected.filter((valid) => valid).length + (revoked[0] ?? 0)).toBe(20);
  const after = (await reseller.get(`/api/reseller/orders/${orderId}`)).body.keys;
  expect(after.map(({ status, devices }: { status: string; devices: number }) => [status, devices])).toEqual(
    connected.map((valid) => (valid ? ["ACTIVE", 1] : ["REVOKED", 0])),
  );
});

test("after a suspension is acknowledged, no request in flight succeeds", async () => {
  const reseller = await registerReseller(newClient, admin, { username: "rushed", credits: 100 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
  const rush = parallel(60, () => reseller.post("/api/reseller/keys/generate", order));
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  const bought = (await admin.get(`/api/admin/resellers/${reseller.id}/keys`)).body.length;
  const responses = await rush;
  expect(withStatus(responses, 201) + withStatus(responses, 401)).toBe(60);
  expect((await admin.get(`/api/admin/resellers/${reseller.id}/keys`)).body).toHaveLength(bought);
});
