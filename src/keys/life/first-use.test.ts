import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../../core/clock.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let game: Client;
let resellers = 0;

beforeAll(async () => {
  panel = await openPanel();
  game = panel.newClient();
});
/** The tests span weeks, longer than a session. */
beforeEach(async () => {
  panel.clock.isAhead = false;
  admin = await signInAdmin(panel.newClient);
  resellers += 1;
  reseller = await registerReseller(panel.newClient, admin, { username: `first.${resellers}`, credits: 1_000 });
});
afterAll(() => panel.close());

const order = { game: "FREE FIRE", deviceLimit: 2, count: 1, starts: "first_use" };
const buy = async (over: object = {}) =>
  (await reseller.post("/api/reseller/keys/generate", { ...order, days: 30, ...over })).body.keys;
const make = (over: object = {}) => admin.post("/api/admin/keys/generate", { ...order, durationHours: 36, ...over });
const ask = (keyString: string, deviceId: string) =>
  game.post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE" });
const detailOf = async (id: number) => (await admin.get(`/api/admin/keys/${id}/details`)).body;
const eventsOf = async (id: number) => (await admin.get(`/api/admin/keys/${id}/timeline`)).body.events;

const notStarted = { expiryDate: null, starts: "first_use", durationHours: 720, startedAt: null, status: "ACTIVE" };

describe("a key that starts at first use", () => {
  test("has no dates until its first device connects, which sets both, once", async () => {
    const [key] = await buy();
    expect(key).toMatchObject({ ...notStarted, pausedAt: null });
    panel.clock.now += 200 * msPerDay;
    const startedAt = isoOf(panel.clock.now);
    const expiry = isoOf(panel.clock.now + 30 * msPerDay);
    expect((await ask(key.keyString, "phone")).body).toMatchObject({ code: "VALID", expiry, currentDevices: 1 });
    panel.clock.now += msPerHour;
    expect((await ask(key.keyString, "tablet")).body).toMatchObject({ code: "VALID", expiry, currentDevices: 2 });
    admin = await signInAdmin(panel.newClient);
    expect(await detailOf(key.id)).toMatchObject({
      ...{ startedAt, expiryDate: expiry, durationHours: 720, starts: "first_use", daysRemaining: 30 },
    });
    expect(await eventsOf(key.id)).toMatchObject([
      { kind: "device_connected", deviceId: "tablet" },
      { kind: "started", deviceId: "phone", by: null, at: startedAt, count: null },
      { kind: "device_connected", deviceId: "phone" },
      { kind: "created" },
    ]);
  });

  test("is not started again after its devices were removed", async () => {
    const [key] = await buy();
    const { expiry } = (await ask(key.keyString, "phone")).body;
    const [{ id }] = (await detailOf(key.id)).devices;
    await reseller.post(`/api/reseller/keys/${key.id}/devices/${id}/remove`);
    panel.clock.now += msPerDay;
    expect((await ask(key.keyString, "tablet")).body).toMatchObject({ code: "VALID", expiry, currentDevices: 1 });
  });

  test("is started neither by a GET nor by a refusal", async () => {
    const [key, revoked] = await buy({ count: 2 });
    const { body: preview } = await game.get(`/api/verify/${key.keyString}/FREE%20FIRE/phone`);
    expect(preview).toMatchObject({ code: "VALID", expiry: null, canRegister: true });
    await reseller.post(`/api/reseller/keys/${revoked.id}/revoke`);
    expect((await ask(revoked.keyString, "phone")).body).toMatchObject({ code: "REVOKED", expiry: null });
    const setGame = (change: object) => admin.call("PUT", "/api/admin/games/3", change);
    await setGame({ maintenance: "Back at noon." });
    expect((await ask(key.keyString, "phone")).body).toMatchObject({ code: "MAINTENANCE", expiry: null });
    await setGame({ maintenance: null, minimumVersion: "2" });
    const old = { key: key.keyString, deviceId: "phone", game: "FREE FIRE", version: "1.9" };
    expect((await game.post("/api/verify", old)).body).toMatchObject({ code: "UPDATE_REQUIRED", expiry: null });
    await setGame({ minimumVersion: null });
    expect(await detailOf(key.id)).toMatchObject(notStarted);
    expect(await detailOf(revoked.id)).toMatchObject({ ...notStarted, status: "REVOKED" });
  });

  test("is started once by 100 devices at the same time", async () => {
    const [key] = (await make({ deviceLimit: 10 })).body.keys;
    const verdicts = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(key.keyString, `phone-${index}`)));
    const expiry = isoOf(panel.clock.now + 36 * msPerHour);
    expect(new Set(verdicts.map(({ body }) => body.expiry))).toEqual(new Set([expiry]));
    expect(verdicts.filter(({ body }) => body.code === "VALID")).toHaveLength(10);
    const events: { kind: string }[] = await eventsOf(key.id);
    expect(events.filter(({ kind }) => kind === "started")).toHaveLength(1);
  });

  test("is not started while the clock is ahead, and takes no device", async () => {
    const [key] = await buy();
    panel.clock.isAhead = true;
    expect(await ask(key.keyString, "phone")).toMatchObject({
      ...{ status: 503, body: { valid: false, code: "CLOCK_AHEAD" } },
    });
    panel.clock.isAhead = false;
    expect(await detailOf(key.id)).toMatchObject({ ...notStarted, devices: [] });
  });

  test("is ACTIVE with its whole duration left, sorts after all dates, and is counted", async () => {
    const [waiting] = await buy();
    const [running] = await buy({ starts: "creation", days: 60 });
    panel.clock.now += 5 * msPerDay;
    expect((await detailOf(waiting.id)).daysRemaining).toBe(30);
    const list = async (query: string) => {
      const { body, headers } = await reseller.get(`/api/reseller/keys?${query}&count=true&limit=1`);
      return [body[0].id, headers.get("x-match-count"), headers.get("link")];
    };
    expect(await list("sort=expiry&order=asc&status=ACTIVE")).toEqual([running.id, "2", expect.any(String)]);
    expect(await list("sort=expiry&order=desc&status=ACTIVE")).toEqual([waiting.id, "2", expect.any(String)]);
    const [, , link] = await list("sort=expiry&order=asc");
    const [, next = ""] = /<([^>]+)>/.exec(String(link)) ?? [];
    expect((await reseller.get(next)).body[0].id).toBe(waiting.id);
    const before = (await admin.get("/api/admin/stats")).body.activeKeys;
    await ask(waiting.keyString, "phone");
    expect((await admin.get("/api/admin/stats")).body.activeKeys).toBe(before);
    expect((await list("status=ACTIVE"))[1]).toBe("2");
  });
});

describe("an order for first use", () => {
  test("carries starts and the hours of its keys, whose whole days are its days", async () => {
    const { orderId } = (await make()).body;
    expect((await admin.get(`/api/admin/orders/${orderId}`)).body).toMatchObject({
      ...{ starts: "first_use", durationHours: 36, days: 1 },
    });
    const [key] = await buy();
    expect((await reseller.get(`/api/reseller/orders/${key.orderId}`)).body).toMatchObject({
      ...{ starts: "first_use", durationHours: 720, days: 30, cost: 3 },
    });
    expect((await admin.get("/api/admin/audit?limit=1")).body[0].details).toMatchObject({ starts: "first_use" });
  });

  test("of an admin needs hours and takes no expiry date; one for now takes no hours", async () => {
    const expiryDate = isoOf(panel.clock.now + msPerDay);
    const problemOf = async (over: object) => {
      const { status, body } = await make(over);
      return [status, body.errors];
    };
    expect(await problemOf({ durationHours: undefined })).toEqual([
      ...[422, [{ path: "durationHours", message: "durationHours is required" }]],
    ]);
    expect(await problemOf({ expiryDate })).toEqual([
      ...[422, [{ path: "expiryDate", message: "Keys that start at first use have no expiry date yet" }]],
    ]);
    expect(await problemOf({ starts: "creation", expiryDate })).toEqual([
      ...[422, [{ path: "durationHours", message: "durationHours is only for keys that start at first use" }]],
    ]);
    expect(await problemOf({ starts: "creation", durationHours: undefined })).toEqual([
      ...[422, [{ path: "expiryDate", message: "Expiry date is required" }]],
    ]);
    for (const durationHours of [0, 8_761, 1.5, "36"]) expect((await make({ durationHours })).status).toBe(422);
    expect((await make({ starts: "later" })).status).toBe(422);
  });
});
