import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ApiResponse, Client, ResellerClient } from "../../../tests/client.ts";
import { days, openShop, type Shop, type Sold } from "../../../tests/shop.ts";
import { languages } from "../../languages/languages.ts";

let shop: Shop;
let admin: Client;
let reseller: ResellerClient;
let key: Sold;

beforeAll(async () => {
  shop = await openShop({ refundDays: 7, rateLimits: true });
});
beforeEach(async () => {
  // Past the limits of the test before.
  shop.clock.now += days(1);
  admin = await shop.newAdmin();
  reseller = await shop.newReseller(100);
  [key] = await shop.buy(reseller);
});
afterEach(() => shop.expectSound());
afterAll(() => shop.close());

const replace = (form: object = {}, by: Client = reseller, { id } = key, headers = {}) =>
  by.post(`/api/${by === admin ? "admin" : "reseller"}/keys/${id}/replace`, form, headers);
const codeOf = ({ status, body }: ApiResponse) => `${status} ${body.code ?? ""}`.trim();
const verify = async (text: string, deviceId = "phone", more = {}) =>
  (await shop.panel.newClient().post("/api/verify", { key: text, deviceId, game: "FREE FIRE", ...more })).body;
const textOf = async (id = key.id) => (await shop.detail({ id })).keyString;
const oldOf = async (text = key.keyString) =>
  (await admin.get(`/api/admin/search?q=${text}`)).body.keys.find((found: Sold) => found.keyString === text);
/** Sessions end after 7 idle days. */
async function wait(count: number) {
  shop.clock.now += days(count);
  await reseller.post("/api/auth/reseller/login", {
    username: reseller.username,
    password: "test-reseller-password",
  });
  admin = await shop.newAdmin();
}

describe("a replaced key", () => {
  test("stays the same key with another text, without its devices", async () => {
    await verify(key.keyString, "phone", { deviceName: "Pixel 8" });
    await verify(key.keyString, "tablet");
    await reseller.call("PUT", `/api/reseller/keys/${key.id}/note`, { note: "Ana" });
    const before = (await reseller.get(`/api/reseller/keys/${key.id}`)).body;
    const { status, body } = await replace();
    expect([status, body.message]).toEqual([200, "Key replaced successfully"]);
    const [prefix] = key.keyString.split("-");
    expect(body.key.keyString).toMatch(new RegExp(`^${prefix}(-[A-Z0-9]{5}){3}$`));
    expect(body.key.keyString).not.toBe(key.keyString);
    const after = (await reseller.get(`/api/reseller/keys/${key.id}`)).body;
    const changed = { keyString: body.key.keyString, deviceCount: 0, devices: [] };
    expect(after).toEqual({ ...before, ...changed });
    expect(await verify(body.key.keyString.toLowerCase())).toMatchObject({ code: "VALID", currentDevices: 1 });
    expect(await shop.credits(reseller)).toBe(97);
    const events = (await shop.timeline(key)).map((event: Record<string, unknown>) => [
      ...[event.kind, event.by, event.deviceId, event.deviceName],
    ]);
    expect(events.slice(0, 3)).toEqual([
      ["replaced", reseller.username, null, null],
      ["device_removed", reseller.username, "tablet", null],
      ["device_removed", reseller.username, "phone", "Pixel 8"],
    ]);
  });

  test("leaves its old text as a revoked key, which lists, counts and searches have", async () => {
    const totals = async () => (await admin.get(`/api/admin/resellers/${reseller.id}`)).body.totalKeys;
    const before = await shop.detail(key);
    const made = await totals();
    await replace();
    const { id } = await oldOf();
    const old = await shop.detail({ id });
    const { game, owner, deviceLimit, createdAt, startedAt, expiryDate, starts, durationHours, createdBy } = before;
    const kept = { game, owner, deviceLimit, createdAt, startedAt, expiryDate, starts, durationHours, createdBy };
    const own = { status: "REVOKED", isRevoked: true, replacedBy: key.id, orderId: null, note: null, pausedAt: null };
    expect(old).toMatchObject({ ...kept, ...own, devices: [], revokedBy: reseller.username, keyString: key.keyString });
    expect((await shop.detail(key)).replacedBy).toBeNull();
    const listed = (await reseller.get("/api/reseller/keys")).body;
    expect(listed.map((row: { id: number; replacedBy: number }) => [row.id, row.replacedBy])).toEqual([
      [id, key.id],
      [key.id, null],
    ]);
    expect((await reseller.get("/api/reseller/keys?status=REVOKED")).body).toHaveLength(1);
    expect([made, await totals()]).toEqual([1, 2]);
    expect((await reseller.get(`/api/reseller/orders/${key.orderId}`)).body).toMatchObject({ count: 1, keys: [{}] });
    const kinds = (await shop.timeline({ id })).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["replaced", "created"]);
    expect((await admin.get(`/api/admin/keys/${id}/timeline`)).body.answer).toMatchObject({ code: "REVOKED" });
    expect(codeOf(await replace({}, reseller, { ...key, id }))).toBe("409 KEY_ALREADY_REVOKED");
  });

  test("says in every language that the old text was replaced, also at /k", async () => {
    await verify(key.keyString);
    const replaced = (await replace()).body.key.keyString;
    for (const [lang, { page }] of Object.entries(languages)) {
      const verdict = { valid: false, code: "REVOKED", message: page.replaced, release: null };
      for (const deviceId of ["phone", "tablet"]) {
        expect(await verify(key.keyString, deviceId, { lang })).toMatchObject(verdict);
      }
      const path = `/api/verify/${key.keyString}/FREE%20FIRE/phone?lang=${lang}`;
      expect((await shop.panel.newClient().get(path)).body).toMatchObject({ ...verdict, canRegister: false });
      const form = new URLSearchParams({ key: key.keyString }).toString();
      const from = { "content-type": "application/x-www-form-urlencoded", origin: "http://localhost" };
      const { text } = await shop.panel.newClient().call("POST", `/k?lang=${lang}`, form, from);
      expect(text).toContain(page.replaced);
    }
    await reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    expect((await verify(replaced)).message).toBe(languages.en.verdicts.REVOKED);
  });

  test("is told to the audit log and webhooks, without texts", async () => {
    const hook = {
      kind: "standard",
      url: "https://192.0.2.1/",
      events: ["key.replaced", "key.revoked", "device.released"],
    };
    const made = await reseller.post("/api/reseller/webhooks", hook);
    await verify(key.keyString);
    const { keyString } = (await replace({}, admin)).body.key;
    const deliveries = await shop.database.read<{ type: string; data: string }>`
      SELECT type, data FROM webhook_deliveries WHERE webhook_id = ${made.body.id}`;
    const { id: replacedKeyId } = await oldOf();
    expect(deliveries.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([
      [
        "key.replaced",
        {
          ...{ resellerId: reseller.id, username: reseller.username, key: keyString.slice(-5) },
          ...{ orderId: key.orderId, keyId: key.id, replacedKeyId, by: "admin" },
        },
      ],
    ]);
    expect(await shop.lastAudit()).toMatchObject({
      ...{ action: "key_replaced", target: `key ${key.id} …${key.keyString.slice(-5)}` },
      details: { end: keyString.slice(-5), owner: reseller.username },
    });
  });

  test("may be paused or not started, and stays so", async () => {
    await shop.pause(key);
    expect((await replace()).body.key).toMatchObject({ status: "PAUSED", pausedAt: expect.any(String) });
    expect(await oldOf()).toMatchObject({ status: "REVOKED" });
    const [unstarted] = await shop.buy(reseller, { starts: "first_use" });
    const { keyString } = (await replace({}, reseller, unstarted)).body.key;
    expect(await oldOf(unstarted.keyString)).toMatchObject({ expiryDate: null, durationHours: 720 });
    expect((await shop.connect({ ...unstarted, keyString })).body).toMatchObject({ code: "VALID" });
    expect(await shop.detail(unstarted)).toMatchObject({ startedAt: expect.any(String) });
  });

  test("of a retired game is replaced too", async () => {
    await admin.call("PUT", "/api/admin/games/3", { isRetired: true });
    expect((await replace()).status).toBe(200);
    await admin.call("PUT", "/api/admin/games/3", { isRetired: false });
  });
});

describe("the new text", () => {
  test("is the one that was chosen, as typed and without what is invisible", async () => {
    expect((await replace({ keyString: " Summer\u200b-2025-A " })).body.key.keyString).toBe("Summer-2025-A");
    expect(await verify("SUMMER-2025-a")).toMatchObject({ code: "VALID" });
    expect(await replace({ keyString: "abc" })).toMatchObject({
      status: 422,
      body: { errors: [{ path: "keyString" }] },
    });
    expect((await replace({ keyString: "" })).status).toBe(200);
  });

  test("is free: taken ones count as guesses of a reseller, the key's own does not", async () => {
    const [other] = await shop.buy(reseller, { keyString: `OTHER-${key.id}` });
    expect(codeOf(await replace({ keyString: other.keyString.toLowerCase() }))).toBe("409 KEY_TAKEN");
    for (let time = 0; time < 21; time += 1) {
      expect(codeOf(await replace({ keyString: key.keyString }))).toBe("409 KEY_TAKEN");
    }
    for (let time = 0; time < 19; time += 1) await replace({ keyString: other.keyString });
    expect(codeOf(await replace({ keyString: other.keyString }))).toBe("429 TOO_MANY_TRIES");
    expect(codeOf(await replace({ keyString: `FREE-${key.id}` }))).toBe("429 TOO_MANY_TRIES");
    expect(codeOf(await replace({ keyString: other.keyString }, admin))).toBe("409 KEY_TAKEN");
    expect((await replace()).status).toBe(200);
  });

  test("cannot be an old one, whose key may have been replaced again", async () => {
    await replace({ keyString: `FIRST-${key.id}` });
    await replace({ keyString: `SECOND-${key.id}` });
    expect(codeOf(await replace({ keyString: key.keyString }))).toBe("409 KEY_TAKEN");
    expect(codeOf(await replace({ keyString: `FIRST-${key.id}` }))).toBe("409 KEY_TAKEN");
    const replaced = (await reseller.get("/api/reseller/keys")).body.map(
      (row: { replacedBy: number }) => row.replacedBy,
    );
    expect(replaced).toEqual([key.id, key.id, null]);
  });
});

describe("a replacement is refused", () => {
  test("for keys that expired or were revoked, and for those of others", async () => {
    const other = await shop.newReseller(10);
    expect(codeOf(await replace({}, other))).toBe("404 NOT_FOUND");
    await wait(30);
    expect(codeOf(await replace())).toBe("409 KEY_NOT_ACTIVE");
    expect(codeOf(await replace({}, admin))).toBe("409 KEY_NOT_ACTIVE");
    await admin.call("DELETE", `/api/admin/keys/${key.id}`);
    expect(codeOf(await replace())).toBe("409 KEY_ALREADY_REVOKED");
    expect(await textOf()).toBe(key.keyString);
  });

  test("while the clock is ahead", async () => {
    shop.clock.isAhead = true;
    const responses = [await replace(), await replace({}, admin)];
    shop.clock.isAhead = false;
    expect(responses.map(codeOf)).toEqual(["503 CLOCK_AHEAD", "503 CLOCK_AHEAD"]);
  });

  test("after three in 30 days, admins' included, but never to admins", async () => {
    await shop.buy(reseller, { days: 60 }).then(([long]) => (key = long));
    await replace({}, admin);
    await wait(10);
    await replace();
    await replace();
    const { status, body } = await replace();
    expect([status, body.code]).toEqual([409, "REPLACED_TOO_OFTEN"]);
    expect(body.message).toBe("This key was replaced 3 times in the last 30 days. Please ask an admin to replace it.");
    const [another] = await shop.buy(reseller);
    expect((await replace({}, reseller, another)).status).toBe(200);
    await wait(20);
    expect((await replace()).status).toBe(200);
    expect(codeOf(await replace())).toBe("409 REPLACED_TOO_OFTEN");
    expect((await replace({}, admin)).status).toBe(200);
  });

  test("and its devices count as one call of those that cost nothing", async () => {
    const [wide] = await shop.buy(reseller, { deviceLimit: 100, days: 5 });
    await shop.database.write`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO key_devices (key_id, device_id, first_connected_at)
      SELECT CAST(${wide.id} AS BIGINT), 'device-' || i, 1 FROM n`;
    await replace({}, reseller, wide);
    await shop.database.write`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 198)
      INSERT INTO key_events (key_id, what, made_by, created_at)
      SELECT CAST(${wide.id} AS BIGINT), 'PAUSED', CAST(${reseller.id} AS BIGINT), CAST(${shop.clock.now} AS BIGINT) FROM n`;
    expect((await reseller.post(`/api/reseller/keys/${wide.id}/pause`)).status).toBe(200);
    expect(codeOf(await reseller.post(`/api/reseller/keys/${wide.id}/resume`))).toBe("429 TOO_MANY_TRIES");
  });
});

describe("a retry", () => {
  test("with the same Idempotency-Key returns what the first returned", async () => {
    const headers = { "idempotency-key": `once-${key.id}` };
    const first = await replace({}, reseller, key, headers);
    await verify(first.body.key.keyString);
    const again = await replace({}, reseller, key, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await textOf()).toBe(first.body.key.keyString);
    const other = await replace({ keyString: "ANOTHER-1" }, reseller, key, headers);
    expect(codeOf(other)).toBe("422 IDEMPOTENCY_KEY_REUSED");
  });

  test("of the order by externalId returns the new text", async () => {
    const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 2, externalId: `INV-${key.id}` };
    const bought = (await reseller.post("/api/reseller/keys/generate", order)).body;
    const { keyString } = (await replace({}, reseller, bought.keys[0])).body.key;
    const again = (await reseller.post("/api/reseller/keys/generate", order)).body;
    expect(again).toEqual({ ...bought, keys: [{ ...bought.keys[0], keyString }, bought.keys[1]] });
  });
});

describe("what goes on as before:", () => {
  test("a key that never connected is refunded, the text that was replaced is not", async () => {
    await replace();
    const { id } = await oldOf();
    expect(await shop.detail({ id })).toMatchObject({ refund: 0, noRefund: "NOT_ACTIVE" });
    expect((await reseller.post(`/api/reseller/keys/${key.id}/revoke`)).body.refund).toBe(3);
    expect(await shop.credits(reseller)).toBe(100);
  });

  test("a key that connected before is not refunded", async () => {
    await verify(key.keyString);
    await replace();
    expect((await reseller.post(`/api/reseller/keys/${key.id}/revoke`)).body.refund).toBe(0);
  });

  test("the players' releases are counted, and none is made with the old text", async () => {
    const release = async (text: string, ref = "unknown") =>
      codeOf(await shop.panel.newClient().post("/api/verify/release", { key: text, game: "FREE FIRE", ref }));
    const refOf = async (text: string) => {
      for (const deviceId of ["phone", "tablet"]) await verify(text, deviceId);
      return (await verify(text, "console")).release.devices[0].ref;
    };
    expect(await release(key.keyString, await refOf(key.keyString))).toBe("200");
    const ref = await refOf(key.keyString);
    const { keyString } = (await replace()).body.key;
    expect(await release(key.keyString, ref)).toBe("409 KEY_NOT_ACTIVE");
    expect(await release(keyString, await refOf(keyString))).toBe("429 RELEASE_TOO_SOON");
  });

  test("a compensation and its undoing reach the key, and not its old text", async () => {
    const { expiryDate } = await shop.detail(key);
    const form = { kind: "compensate", scope: { resellerId: reseller.id }, hours: 24, reason: "Outage", dryRun: false };
    await replace();
    const started = await admin.post("/api/admin/interventions", form);
    expect(started.body.count).toBe(1);
    await shop.panel.server.interventionWork.run();
    await replace();
    expect((await shop.detail(key)).expiryDate > expiryDate).toBe(true);
    await admin.post(`/api/admin/interventions/${started.body.id}/undo`);
    await shop.panel.server.interventionWork.run();
    expect((await shop.detail(key)).expiryDate).toBe(expiryDate);
    expect((await oldOf()).expiryDate).toBe(expiryDate);
  });

  test("an import that was undone has no keys to replace, and one whose key was replaced is in use", async () => {
    const imported = async (text: string) => {
      const file = `key,game,expires,owner\n${text},FREE FIRE,2026-01-31,${reseller.username}`;
      const { body } = await admin.post("/api/admin/imports", file, { "content-type": "text/csv" });
      await shop.panel.server.importWork.run();
      return { id: body.id, key: await oldOf(text) };
    };
    const used = await imported(`OLD-${key.id}`);
    expect((await replace({}, reseller, used.key)).status).toBe(200);
    expect(codeOf(await admin.post(`/api/admin/imports/${used.id}/undo`))).toBe("409 IMPORT_IN_USE");
    const undone = await imported(`UNDONE-${key.id}`);
    await admin.post(`/api/admin/imports/${undone.id}/undo`);
    expect(codeOf(await replace({}, reseller, undone.key))).toBe("404 NOT_FOUND");
    await shop.panel.server.importWork.run();
  });
});
