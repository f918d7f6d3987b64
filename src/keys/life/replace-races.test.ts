import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { ApiResponse, Client, ResellerClient } from "../../../tests/client.ts";
import { openShop, type Shop, type Sold } from "../../../tests/shop.ts";

let shop: Shop;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  shop = await openShop({ refundDays: 7 });
  await (await shop.newAdmin()).call("PUT", "/api/admin/games/3", { release: { isAllowed: true, cooldownHours: 0 } });
});
beforeEach(async () => {
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(500);
});
afterAll(async () => {
  await shop.expectSound();
  await shop.close();
});

const rounds = Array.from({ length: 12 }, (_, round) => round);
const replace = ({ id }: Sold, form = {}, by: Client = reseller) =>
  by.post(`/api/${by === admin ? "admin" : "reseller"}/keys/${id}/replace`, form);
const codes = (responses: ApiResponse[]) => responses.map(({ status, body }) => body.code ?? status);
const player = () => shop.panel.newClient();
/** After this many turns of the event loop: another place in the order of the calls. */
const later = async <Result>(turns: number, call: () => Promise<Result>): Promise<Result> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  return call();
};
/** The key has one text, the others are revoked and say so, and none of these is on a device. */
async function expectOneText({ id }: Sold, texts: string[]): Promise<string> {
  const { keyString } = await shop.detail({ id });
  for (const text of texts.filter((each) => each !== keyString)) {
    const { body } = await player().post("/api/verify", { key: text, game: "FREE FIRE", deviceId: "phone" });
    expect(body).toMatchObject({ code: "REVOKED", currentDevices: 0 });
  }
  return keyString;
}

test("once a replacement is acknowledged, no request that began before it connects with the old text", async () => {
  for (const round of rounds) {
    const [key] = await shop.buy(reseller, { deviceLimit: 100 });
    const connecting = ["a", "b", "c", "d"].map((deviceId, place) =>
      later(place * (round % 4), () => shop.connect(key, deviceId)),
    );
    const [replaced, ...verdicts] = await Promise.all([later(round, () => replace(key)), ...connecting]);
    expect(replaced.status).toBe(200);
    for (const { body } of verdicts) expect(["VALID", "REVOKED"]).toContain(body.code);
    expect((await shop.detail(key)).devices).toEqual([]);
    await expectOneText(key, [key.keyString]);
  }
});

test("a device that was connected is neither freed nor let in with the old text afterwards", async () => {
  for (const round of rounds) {
    const [key] = await shop.buy(reseller, { deviceLimit: 1 });
    await shop.connect(key);
    const { ref } = (await shop.connect(key, "tablet")).body.release.devices[0];
    const release = () => player().post("/api/verify/release", { key: key.keyString, game: "FREE FIRE", ref });
    const [replaced, released] = await Promise.all([
      later(round % 5, () => replace(key)),
      later(round % 3, release),
      shop.connect(key),
    ]);
    expect(replaced.status).toBe(200);
    expect([200, "KEY_NOT_ACTIVE", "DEVICE_NOT_FOUND"]).toContain(codes([released])[0]);
    const kinds = (await shop.timeline(key)).map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => /device_(removed|released)/.test(kind)).length).toBeLessThanOrEqual(2);
    expect((await shop.detail(key)).devices).toEqual([]);
    expect((await shop.connect(key)).body).toMatchObject({ code: "REVOKED", currentDevices: 0 });
  }
});

test("replacements at once each leave a text, and three of a reseller's succeed", async () => {
  const [key] = await shop.buy(reseller);
  const responses = await Promise.all(rounds.map(() => replace(key)));
  expect(codes(responses).filter((code) => code === 200)).toHaveLength(3);
  expect(codes(responses).filter((code) => code === "REPLACED_TOO_OFTEN")).toHaveLength(9);
  const texts = responses.flatMap(({ body }) => body.key?.keyString ?? []);
  expect(new Set([key.keyString, ...texts]).size).toBe(4);
  expect(texts).toContain(await expectOneText(key, [key.keyString, ...texts]));
});

test("of keys that want the same text at once, one gets it", async () => {
  const keys = await shop.buy(reseller, { count: 6 });
  const keyString = `WANTED-${keys[0].id}`;
  const buying = reseller.post("/api/reseller/keys/generate", {
    ...{ game: "FREE FIRE", deviceLimit: 1, days: 30, count: 1, keyString },
  });
  const responses = await Promise.all([...keys.map((key) => replace(key, { keyString })), buying]);
  expect(codes(responses).filter((code) => code !== "KEY_TAKEN")).toHaveLength(1);
});

test("with a refund at once, either the key is replaced and then revoked, or it is refused", async () => {
  for (const round of rounds) {
    const [key] = await shop.buy(reseller);
    const before = await shop.credits(reseller);
    const revoke = () => reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    const [replaced, revoked] = await Promise.all([later(round % 4, () => replace(key)), later(round % 3, revoke)]);
    expect([200, "KEY_ALREADY_REVOKED"]).toContain(codes([replaced])[0]);
    expect([revoked.status, revoked.body.refund]).toEqual([200, 3]);
    expect(await shop.credits(reseller)).toBe(before + 3);
    const { status, keyString, devices } = await shop.detail(key);
    expect({ status, devices }).toEqual({ status: "REVOKED", devices: [] });
    expect(keyString).toBe(replaced.body.key?.keyString ?? key.keyString);
  }
});

test("an extension at once adds its hours to the key, and none to its old text", async () => {
  for (const round of rounds.slice(0, 6)) {
    const [key] = await shop.buy(reseller);
    const { expiryDate } = await shop.detail(key);
    const extend = () => admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 24 });
    const [replaced, extended] = await Promise.all([later(round, () => replace(key)), extend()]);
    expect(codes([replaced, extended])).toEqual([200, 200]);
    const after = Date.parse(expiryDate) + 24 * 3_600_000;
    expect(Date.parse((await shop.detail(key)).expiryDate)).toBe(after);
  }
});

test("with the undo of its import at once, one of the two is refused", async () => {
  for (const round of rounds.slice(0, 6)) {
    const text = `IMPORTED-${reseller.id}-${round}`;
    const file = `key,game,expires,owner\n${text},FREE FIRE,2026-01-31,${reseller.username}`;
    const { id } = (await admin.post("/api/admin/imports", file, { "content-type": "text/csv" })).body;
    await shop.panel.server.importWork.run();
    const [key] = (await admin.get(`/api/admin/search?q=${text}`)).body.keys;
    const undo = () => admin.post(`/api/admin/imports/${id}/undo`);
    const [replaced, undone] = await Promise.all([later(round, () => replace(key)), later(round % 2, undo)]);
    expect([
      [200, "IMPORT_IN_USE"],
      ["NOT_FOUND", 200],
    ]).toContainEqual(codes([replaced, undone]));
    await shop.panel.server.importWork.run();
    const { keys } = (await admin.get(`/api/admin/search?q=${text}`)).body;
    expect(keys).toHaveLength(replaced.status === 200 ? 1 : 0);
  }
});

test("an intervention and its undo at once reach the key once", async () => {
  for (const round of rounds.slice(0, 6)) {
    const [key] = await shop.buy(reseller);
    const { expiryDate } = await shop.detail(key);
    const scope = { orderId: key.orderId };
    const form = { kind: "compensate", scope, hours: 24, reason: "Outage", dryRun: false };
    const [{ body }] = await Promise.all([admin.post("/api/admin/interventions", form), replace(key)]);
    const work = () => shop.panel.server.interventionWork.run();
    await Promise.all([later(round, work), replace(key)]);
    await work();
    expect(Date.parse((await shop.detail(key)).expiryDate)).toBe(Date.parse(expiryDate) + 24 * 3_600_000);
    await Promise.all([admin.post(`/api/admin/interventions/${body.id}/undo`), later(round, () => replace(key))]);
    await work();
    expect((await shop.detail(key)).expiryDate).toBe(expiryDate);
  }
});
