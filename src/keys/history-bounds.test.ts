import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay, msPerMinute } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  panel = await openPanel({ rateLimits: true });
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 1_000 });
});
afterAll(() => panel.close());

const buy = async (deviceLimit = 2): Promise<{ id: number; keyString: string }> =>
  (await reseller.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit, days: 60, count: 1 })).body
    .keys[0];
const noteOf = (id: number, note: string) => reseller.call("PUT", `/api/reseller/keys/${id}/note`, { note });
const pause = (by: Client, id: number, what = "pause") =>
  by.post(`/api/${by === admin ? "admin" : "reseller"}/keys/${id}/${what}`);
const limit = (id: number, deviceLimit: number) =>
  reseller.call("PUT", `/api/reseller/keys/${id}/device-limit`, { deviceLimit });

/** What the reseller did to the key, now, as so many calls would have left it. */
const addCalls = (id: number, what: string, count: number, madeBy = reseller.id) => panel.database.write`
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
  INSERT INTO key_events (key_id, what, made_by, created_at)
  SELECT ${id}, ${what}, ${madeBy}, CAST(${panel.clock.now} AS BIGINT) + i FROM n`;

describe("of a key's notes", () => {
  const notesOf = async (id: number) =>
    panel.database.read<{ count: number; first: number }>`
      SELECT count(*) AS count, min(id) AS first FROM key_events WHERE key_id = ${id} AND what = 'NOTED'`;

  test("the newest 200 stay in its history, and nothing else is erased", async () => {
    const { id } = await buy();
    await addCalls(id, "PAUSED", 1);
    await addCalls(id, "NOTED", 201);
    const [before] = await notesOf(id);
    await noteOf(id, "sold");
    const [after] = await notesOf(id);
    expect([before?.count, after?.count, Number(after?.first) - Number(before?.first)]).toEqual([201, 200, 2]);
    const others = await panel.database.read`SELECT 1 FROM key_events WHERE key_id = ${id} AND what = 'PAUSED'`;
    expect(others).toHaveLength(1);
    await noteOf(id, "sold");
    expect(await notesOf(id)).toEqual([after as NonNullable<typeof after>]);
  });

  test("a selection keeps as many, and the audit log has every call", async () => {
    const { id } = await buy();
    await addCalls(id, "NOTED", 1_300);
    const { mark } = (await reseller.post("/api/reseller/keys/selected", { ids: [id] })).body;
    for (const note of ["one", "two"]) {
      await reseller.call("PUT", "/api/reseller/keys/selected/note", { ids: [id], mark, count: 1, note });
    }
    expect((await notesOf(id))[0]?.count).toBe(200);
    expect((await admin.get("/api/admin/audit?action=note_changed&limit=2")).body).toHaveLength(2);
  });
});

describe("after 200 calls that cost nothing on one key and day", () => {
  const refusal = (seconds: number) => ({
    status: 429,
    retryAfter: `${seconds}`,
    body: { code: "TOO_MANY_TRIES", message: "This key was changed 200 times today. Please try again tomorrow." },
  });
  const shown = ({ status, headers, body }: Awaited<ReturnType<typeof pause>>) => ({
    status,
    retryAfter: headers.get("retry-after"),
    body,
  });

  test("a reseller's further ones are refused until the UTC day is over, and change nothing", async () => {
    const { id, keyString } = await buy();
    await panel.newClient().post("/api/verify", { key: keyString, game: "FREE FIRE", deviceId: "phone" });
    const [{ id: device }] = (await reseller.get(`/api/reseller/keys/${id}`)).body.devices;
    await addCalls(id, "PAUSED", 100);
    await addCalls(id, "RESUMED", 99);
    expect((await pause(reseller, id)).status).toBe(200);
    const untilMidnight = Math.ceil((msPerDay - (panel.clock.now % msPerDay)) / 1_000);
    expect(shown(await pause(reseller, id, "resume"))).toEqual(refusal(untilMidnight));
    await pause(admin, id, "resume");
    expect(shown(await pause(reseller, id))).toEqual(refusal(untilMidnight));
    expect(shown(await limit(id, 1))).toEqual(refusal(untilMidnight));
    const removal = `/api/reseller/keys/${id}/devices/${device}/remove`;
    expect(shown(await reseller.post(removal))).toEqual(refusal(untilMidnight));
    expect((await reseller.get(`/api/reseller/keys/${id}`)).body).toMatchObject({ status: "ACTIVE", deviceLimit: 2 });
    expect((await limit(id, 2)).status).toBe(200);
    panel.clock.now += untilMidnight * 1_000;
    expect((await reseller.post(removal)).status).toBe(200);
    expect((await limit(id, 1)).status).toBe(200);
  });

  test("what is paid for, notes, revocations, other keys and admins are not refused", async () => {
    const [one, other] = [await buy(1), await buy()];
    await addCalls(one.id, "DEVICE_REMOVED", 200);
    expect((await pause(reseller, one.id)).status).toBe(429);
    expect((await pause(reseller, other.id)).status).toBe(200);
    expect((await pause(admin, one.id)).status).toBe(200);
    expect((await reseller.post(`/api/reseller/keys/${one.id}/extend`, { days: 30 })).status).toBe(200);
    expect((await noteOf(one.id, "sold")).status).toBe(200);
    expect((await reseller.post(`/api/reseller/keys/${one.id}/revoke`)).status).toBe(200);
  });

  test("what was paid for, what others did, and earlier days do not count", async () => {
    const { id } = await buy(1);
    await addCalls(id, "PAUSED", 300);
    panel.clock.now += msPerDay;
    await addCalls(id, "PAUSED", 300, 1);
    await addCalls(id, "RESUMED", 199);
    for (const _ of [1, 2, 3]) await reseller.post(`/api/reseller/keys/${id}/extend`, { days: 5 });
    expect((await limit(id, 2)).status).toBe(200);
    expect((await pause(reseller, id)).status).toBe(429);
  });

  test("an extension that costs nothing is refused", async () => {
    const prices = (await admin.get("/api/admin/price-lists")).body;
    const { id } = await buy();
    const [{ id: list, prices: all }] = prices;
    const free = all.map((price: object) => ({ ...price, credits: 0 }));
    expect((await admin.call("PUT", `/api/admin/price-lists/${list}`, { prices: free })).status).toBe(200);
    const extend = () => reseller.post(`/api/reseller/keys/${id}/extend`, { days: 5 });
    await addCalls(id, "EXTENDED", 199);
    panel.clock.now += msPerMinute;
    expect((await extend()).body.cost).toBe(0);
    expect((await extend()).status).toBe(429);
  });
});
