import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Client, ResellerClient } from "../../../tests/client.ts";
import { days, openShop, type Shop, type Sold } from "../../../tests/shop.ts";
import { isoOf } from "../../core/clock.ts";

let shop: Shop;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  shop = await openShop({ refundDays: 7 });
});
beforeEach(async () => {
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(33);
});
afterAll(async () => {
  await shop.expectSound();
  await shop.close();
});

const rounds = Array.from({ length: 8 }, (_, round) => round);
const extend = ({ id }: Sold) => reseller.post(`/api/reseller/keys/${id}/extend`, { days: 30 });
const inDays = (count: number) => isoOf(shop.clock.now + days(count));
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

test("two extensions at once both count, by either role", async () => {
  const [key] = await shop.buy(reseller);
  const free = admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 24 });
  expect(statuses(await Promise.all([extend(key), extend(key), free]))).toEqual([200, 200, 200]);
  expect((await shop.detail(key)).expiryDate).toBe(inDays(91));
  expect(await shop.credits(reseller)).toBe(24);
});

test("20 extensions at once with credits for 10 extend 10 times", async () => {
  const [key] = await shop.buy(reseller);
  const responses = await Promise.all(Array.from({ length: 20 }, () => extend(key)));
  expect(statuses(responses)).toEqual([...Array(10).fill(200), ...Array(10).fill(402)]);
  expect((await shop.detail(key)).expiryDate).toBe(inDays(330));
  expect(await shop.credits(reseller)).toBe(0);
});

test("two extensions of a selection at once are both paid", async () => {
  await shop.buy(reseller, { count: 3 });
  const { mark } = (await reseller.post("/api/reseller/keys/selected", {})).body;
  const all = () => reseller.post("/api/reseller/keys/selected/extend", { mark, count: 3, days: 30 });
  expect(statuses(await Promise.all([all(), all(), all()]))).toEqual([200, 200, 402]);
  expect(await shop.credits(reseller)).toBe(6);
});

test("an extension at once with a pause adds its hours, and the key gets back the time that it was paused", async () => {
  for (const _ of rounds) {
    const [key] = await shop.buy(reseller);
    const expected = inDays(32);
    const hours = () => admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 24 });
    const pausing = reseller.post(`/api/reseller/keys/${key.id}/pause`);
    expect(statuses(await Promise.all([hours(), pausing]))).toEqual([200, 200]);
    shop.clock.now += 1_234;
    const resuming = reseller.post(`/api/reseller/keys/${key.id}/resume`);
    expect(statuses(await Promise.all([resuming, hours()]))).toEqual([200, 200]);
    expect((await shop.detail(key)).expiryDate).toBe(isoOf(Date.parse(expected) + 1_234));
  }
});

test("an extension at once with the end of a used-up pause counts from the expiry that the key has then", async () => {
  const [key] = await shop.buy(reseller);
  const expected = inDays(30 + 30 + 1);
  await reseller.post(`/api/reseller/keys/${key.id}/pause`);
  shop.clock.now += days(30);
  admin = await shop.newAdmin();
  const extending = admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 24 });
  const [, ...verdicts] = await Promise.all([extending, ...rounds.map(() => shop.connect(key))]);
  expect(new Set(verdicts.map(({ body }) => body.code))).toEqual(new Set(["VALID"]));
  expect((await shop.detail(key)).expiryDate).toBe(expected);
});

test("an extension at once with a revocation is either given back or refused", async () => {
  for (const _round of rounds) {
    const [key] = await shop.buy(reseller);
    const revoke = admin.call("DELETE", `/api/admin/keys/${key.id}`);
    const [extended, revoked] = await Promise.all([extend(key), revoke]);
    expect([[200, 409].includes(extended.status), revoked.status]).toEqual([true, 200]);
    expect(revoked.body.refund).toBe(extended.status === 200 ? 6 : 3);
    expect((await shop.detail(key)).status).toBe("REVOKED");
    expect(await shop.credits(reseller)).toBe(33);
  }
});

test("a key is never both refunded and connected", async () => {
  for (const _round of rounds) {
    const [key] = await shop.buy(reseller);
    const before = await shop.credits(reseller);
    const revoke = reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    const [revoked, verdict] = await Promise.all([revoke, shop.connect(key)]);
    const isConnected = verdict.body.code === "VALID";
    expect(revoked.body.refund).toBe(isConnected ? 0 : 3);
    expect(await shop.credits(reseller)).toBe(before + revoked.body.refund);
    expect((await shop.detail(key)).devices).toHaveLength(isConnected ? 1 : 0);
  }
});

test("a key is refunded once if two people revoke it at once", async () => {
  const [key] = await shop.buy(reseller);
  const responses = await Promise.all([
    reseller.post(`/api/reseller/keys/${key.id}/revoke`),
    admin.call("DELETE", `/api/admin/keys/${key.id}`),
  ]);
  expect(statuses(responses)).toEqual([200, 409]);
  expect(await shop.credits(reseller)).toBe(33);
});

test("a limit that is lowered at once with new devices is never below their number", async () => {
  for (const _round of rounds) {
    const [key] = await shop.buy(reseller, { days: 5 });
    const lower = reseller.call("PUT", `/api/reseller/keys/${key.id}/device-limit`, { deviceLimit: 1 });
    await Promise.all([shop.connect(key, "phone"), lower, shop.connect(key, "tablet")]);
    const { deviceLimit, devices: connected } = await shop.detail(key);
    expect(connected.length).toBeLessThanOrEqual(deviceLimit);
  }
});
