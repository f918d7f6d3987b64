import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  type Client,
  createApiKey,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../../tests/client.ts";
import { noRefund } from "../../tests/key-times.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { type Caller, createAuditedChanges, type PersonCaller } from "../accounts/audited-changes.ts";
import { full } from "../accounts/schema.ts";
import { msPerDay } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { selectedIdsMax } from "./limits.ts";
import { createSelectedKeys } from "./selected-keys.ts";

let panel: Panel;
let admin: Client;
let serial = 0;

beforeAll(async () => {
  panel = await openPanel();
});

/** The tests span weeks, longer than a session. */
beforeEach(async () => {
  admin = await signInAdmin(panel.newClient);
});

afterAll(() => panel.close());

const at = "/api/reseller/keys/selected";
const atAdmin = "/api/admin/keys/selected";

async function freshReseller(): Promise<ResellerClient> {
  serial += 1;
  return registerReseller(panel.newClient, admin, { username: `bulk.${serial}`, credits: 1_000 });
}

interface Made {
  id: number;
  keyString: string;
}

async function buy(reseller: Client, count: number, days = 30): Promise<Made[]> {
  const order = { game: "FREE FIRE", deviceLimit: 2, days, count };
  return (await reseller.post("/api/reseller/keys/generate", order)).body.keys;
}

async function makeAdminKeys(count: number): Promise<Made[]> {
  const expiryDate = new Date(panel.clock.now + 30 * msPerDay).toISOString();
  return (await admin.post("/api/admin/keys/generate", { game: "FREE FIRE", deviceLimit: 5, expiryDate, count })).body
    .keys;
}

async function callerOf({ id, username, get }: ResellerClient): Promise<Caller> {
  const [{ id: sessionId }] = (await get("/api/auth/sessions")).body;
  return { id, username, role: "reseller", ...full, sessionId, address: "::1", requestId: "r" };
}

/** Something happens before the given batch. */
function interrupted(batch: number, happens: () => unknown) {
  const { database } = panel;
  let batches = 0;
  const interrupting: Database = {
    ...database,
    async transaction(queue, work) {
      batches += 1;
      if (batches === batch) await happens();
      return database.transaction(queue, work);
    },
  };
  const now = () => panel.clock.now;
  return createSelectedKeys({
    ...panel.server,
    database,
    changes: createAuditedChanges({ database: interrupting, now }),
    now,
  });
}

const connect = ({ keyString }: Made, deviceId = "phone") =>
  panel.newClient().post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE" });

const recordOf = async (limit = 1) => (await admin.get(`/api/admin/audit?limit=${limit}`)).body;

/** 2 unused, 1 connected, 3 expired, 1 revoked. */
async function mixed() {
  const reseller = await freshReseller();
  const expired = await buy(reseller, 3, 5);
  panel.clock.now += 6 * msPerDay;
  const [first, second, used, revoked] = (await buy(reseller, 4)) as [Made, Made, Made, Made];
  await connect(used);
  await reseller.post(`/api/reseller/keys/${revoked.id}/revoke`);
  return { reseller, expired, unused: [first, second], used, revoked };
}

describe("a selection", () => {
  test("is counted by status, with the number that the caller can revoke", async () => {
    const { reseller, used, expired } = await mixed();
    const { status, body } = await reseller.post(at, {});
    const all = { selected: 7, unused: 2, connected: 1, expired: 3, revoked: 1 };
    expect([status, body]).toEqual([
      200,
      { mark: expect.any(String), newestId: 7, ...all, toRevoke: 3, toNote: 0, ...noRefund },
    ]);
    expect((await admin.post(atAdmin, { resellerId: reseller.id })).body).toMatchObject({ ...all, toRevoke: 6 });
    const ids = [used.id, expired[0]?.id];
    expect((await reseller.post(at, { ids })).body).toMatchObject({ selected: 2, connected: 1, expired: 1 });
    expect((await reseller.post(at, { ids, status: "EXPIRED" })).body).toMatchObject({ selected: 1 });
    expect((await reseller.post(at, { search: used.keyString, note: "Sold" })).body).toMatchObject({
      ...{ selected: 1, toNote: 1 },
    });
  });

  test("by order has the keys of that order, and none of another account's", async () => {
    const reseller = await freshReseller();
    await buy(reseller, 2);
    const [first] = (await buy(reseller, 3)) as [Made];
    const { orderId } = (await reseller.get(`/api/reseller/keys/${first.id}`)).body;
    const { body: shown } = await reseller.post(at, { orderId });
    expect(shown.selected).toBe(3);
    expect((await (await freshReseller()).post(at, { orderId })).body.selected).toBe(0);
    expect((await admin.post(atAdmin, { orderId })).body.selected).toBe(0);
    const { status, body } = await reseller.post(at, { orderId: "12" });
    expect([status, body.message]).toEqual([422, "orderId must be the number of an order"]);
    const form = { orderId, mark: shown.mark, count: 3 };
    expect((await reseller.post(`${at}/revoke`, form)).body.revokedCount).toBe(3);
    expect((await reseller.get("/api/reseller/keys?status=ACTIVE")).body).toHaveLength(2);
  });

  test("includes look-alikes if the list shows them, and stays with them", async () => {
    const reseller = await freshReseller();
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, keyString: `SOLO-${reseller.id}` };
    await reseller.post("/api/reseller/keys/generate", order);
    const search = order.keyString.replace("SOLO", "501O");
    const { body: shown } = await reseller.post(at, { search });
    expect(shown.selected).toBe(1);
    await reseller.post("/api/reseller/keys/generate", { ...order, keyString: `${search}-X` });
    const { body } = await reseller.post(`${at}/revoke`, { search, mark: shown.mark, count: 1 });
    expect(body.revokedCount).toBe(1);
    expect((await reseller.get(`/api/reseller/keys?search=${search}-X`)).body[0].status).toBe("ACTIVE");
  });

  test("never includes other accounts' keys", async () => {
    const { reseller, used } = await mixed();
    const other = await freshReseller();
    expect((await other.post(at, { ids: [used.id] })).body.selected).toBe(0);
    expect((await other.post(at, { resellerId: reseller.id })).body.selected).toBe(0);
    expect((await admin.post(atAdmin, { ids: [used.id] })).body.selected).toBe(0);
    expect((await admin.post(atAdmin, { resellerId: 1 })).status).toBe(404);
  });

  test("refuses invalid ids and marks", async () => {
    const reseller = await freshReseller();
    const [{ id }] = (await buy(reseller, 1)) as [Made];
    for (const ids of [[], ["7"], [0], [1.5], [[7]], [{}], "7", Array.from({ length: selectedIdsMax + 1 }, () => id)]) {
      const { status, body } = await reseller.post(at, { ids });
      expect([status, body.errors]).toEqual([
        422,
        [{ path: "ids", message: `ids must be 1 to ${selectedIdsMax} ids of keys` }],
      ]);
    }
    expect((await reseller.post(at, { ids: Array.from({ length: selectedIdsMax }, () => id) })).body.selected).toBe(1);
    const tomorrow = [panel.clock.now + msPerDay, 9_999, false];
    for (const forged of ["x", "bnVsbA", ...[tomorrow, ["0", 1, false], [0, 1]].map(encoded)]) {
      const { status, body } = await reseller.post(at, { mark: forged });
      expect([status, body.message]).toEqual([422, "mark is not from a preview of a selection"]);
    }
  });
});

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

describe("revoking", () => {
  test("revokes the keys that the caller may revoke, and reports the result for all", async () => {
    const { reseller, used } = await mixed();
    const { body: shown } = await reseller.post(at, {});
    const credits = (await reseller.get("/api/reseller/profile")).body.credits;
    const form = { mark: shown.mark, count: shown.toRevoke };
    const response = await reseller.post(`${at}/revoke`, form);
    expect([response.status, response.body]).toEqual([
      200,
      { message: "Keys revoked successfully", revokedCount: 3, passedOver: { revoked: 1, expired: 3 }, refund: 0 },
    ]);
    expect((await connect(used)).body.code).toBe("REVOKED");
    expect(
      (await reseller.get("/api/reseller/keys?count=true&limit=1&status=REVOKED")).headers.get("x-match-count"),
    ).toBe("4");
    expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(credits);
    const [row] = await recordOf();
    expect(row).toMatchObject({
      ...{ action: "key_revoked", target: `keys of ${reseller.username}`, actor: { username: reseller.username } },
      details: { count: 3, owner: reseller.username, resellerId: reseller.id },
    });
    // Repeating the call returns the same and changes nothing.
    expect((await reseller.post(`${at}/revoke`, form)).body).toEqual(response.body);
    expect((await recordOf())[0].id).toBe(row.id);
    // An admin may also revoke expired keys.
    panel.clock.now += 1_000;
    const { body: left } = await admin.post(atAdmin, { resellerId: reseller.id });
    const whole = { resellerId: reseller.id, mark: left.mark, count: left.toRevoke };
    expect((await admin.post(`${atAdmin}/revoke`, whole)).body).toMatchObject({
      ...{ revokedCount: 3, passedOver: { revoked: 4, expired: 0 } },
    });
  });

  test("skips and reports keys that were revoked or expired since the selection", async () => {
    const reseller = await freshReseller();
    const [short] = (await buy(reseller, 1, 5)) as [Made];
    const [taken] = (await buy(reseller, 3)) as [Made, Made, Made];
    const { body: shown } = await reseller.post(at, { status: "ACTIVE" });
    expect(shown).toMatchObject({ selected: 4, toRevoke: 4 });
    panel.clock.now += 6 * msPerDay;
    await admin.call("DELETE", `/api/admin/keys/${taken.id}`);
    const { body } = await reseller.post(`${at}/revoke`, { status: "ACTIVE", mark: shown.mark, count: 4 });
    expect(body).toMatchObject({ revokedCount: 2, passedOver: { revoked: 1, expired: 1 } });
    expect((await reseller.get(`/api/reseller/keys/${short.id}`)).body.status).toBe("EXPIRED");
  });

  test("accepts the number that was shown, also if a key expired while the keys were counted", async () => {
    const reseller = await freshReseller();
    await buy(reseller, 2, 5);
    const expiresAt = panel.clock.now + 5 * msPerDay;
    panel.clock.now = expiresAt - 1;
    const instants = [expiresAt - 1, expiresAt];
    const { database } = panel;
    const now = () => instants.shift() ?? expiresAt;
    const changes = createAuditedChanges({ database, now });
    const caller = await callerOf(reseller);
    const selectedKeys = createSelectedKeys({ ...panel.server, database, changes, now });
    const { mark, toRevoke, ...shown } = await selectedKeys.look(caller, {});
    expect([shown, toRevoke]).toMatchObject([{ unused: 2, expired: 0 }, 2]);
    expect(await selectedKeys.revoke(caller, { mark, count: toRevoke })).toEqual({
      ...{ revokedCount: 0, passedOver: { revoked: 0, expired: 2 }, refund: 0 },
    });
  });

  test("affects only the keys that were shown, not later matches", async () => {
    const reseller = await freshReseller();
    const [expired] = (await buy(reseller, 1, 5)) as [Made];
    panel.clock.now += 6 * msPerDay;
    const [expiring] = (await buy(reseller, 1, 5)) as [Made];
    const { body: shown } = await reseller.post(at, {});
    const [later] = (await buy(reseller, 1)) as [Made];
    const { body } = await reseller.post(`${at}/revoke`, { mark: shown.mark, count: 1 });
    expect(body).toMatchObject({ revokedCount: 1, passedOver: { revoked: 0, expired: 1 } });
    const statusOf = async ({ id }: Made) => (await reseller.get(`/api/reseller/keys/${id}`)).body.status;
    expect([await statusOf(expiring), await statusOf(later)]).toEqual(["REVOKED", "ACTIVE"]);

    const [expiringToo] = (await buy(reseller, 1, 5)) as [Made];
    const filter = { resellerId: reseller.id, status: "EXPIRED" };
    const { body: shownToAdmin } = await admin.post(atAdmin, filter);
    panel.clock.now += 6 * msPerDay;
    const response = await admin.post(`${atAdmin}/revoke`, { ...filter, mark: shownToAdmin.mark, count: 1 });
    expect(response.body).toMatchObject({ revokedCount: 1, passedOver: { revoked: 0, expired: 0 } });
    expect([await statusOf(expired), await statusOf(expiringToo)]).toEqual(["REVOKED", "EXPIRED"]);
  });

  test("with a different count than shown revokes nothing", async () => {
    const reseller = await freshReseller();
    await buy(reseller, 2);
    const { mark } = (await reseller.post(at, {})).body;
    const { status, body } = await reseller.post(`${at}/revoke`, { mark, count: 3 });
    expect([status, body]).toEqual([
      409,
      {
        code: "COUNT_CHANGED",
        message: "2 keys in this selection can be revoked, so nothing was revoked. Please check again.",
      },
    ]);
    expect((await reseller.post(at, {})).body.toRevoke).toBe(2);
    expect((await reseller.post(`${at}/revoke`, { count: 2 })).body.message).toBe("mark is required");
    expect((await reseller.post(`${at}/revoke`, { mark })).body.message).toBe("count is required");
  });

  test("by two accounts at once revokes each key once, and each response counts its own", async () => {
    const reseller = await freshReseller();
    for (let batch = 0; batch < 4; batch += 1) await buy(reseller, 100, 5);
    const forms = await Promise.all([
      reseller.post(at, {}).then(
        ({ body }) =>
          () =>
            reseller.post(`${at}/revoke`, { mark: body.mark, count: 400 }),
      ),
      admin.post(atAdmin, { resellerId: reseller.id }).then(
        ({ body }) =>
          () =>
            admin.post(`${atAdmin}/revoke`, { resellerId: reseller.id, mark: body.mark, count: 400 }),
      ),
    ]);
    const responses = await Promise.all(forms.map((send) => send()));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses.reduce((sum, { body }) => sum + body.revokedCount, 0)).toBe(400);
    for (const { body } of responses) expect(body.revokedCount + body.passedOver.revoked).toBe(400);
    const counted = await reseller.get("/api/reseller/keys?count=true&limit=1&status=REVOKED");
    expect(counted.headers.get("x-match-count")).toBe("400");
  });

  test.each([
    ["its API key is deleted", "API_KEY_UNKNOWN", (owner, id) => owner.call("DELETE", `/api/reseller/api-keys/${id}`)],
    ["its API key expires", "API_KEY_EXPIRED", () => (panel.clock.now += msPerDay)],
    [
      "its reseller is suspended",
      "API_KEY_UNKNOWN",
      (owner) => admin.post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive: false }),
    ],
  ] as [string, string, (owner: ResellerClient, apiKeyId: number) => unknown][])(
    "by a program stops between two batches once %s",
    async (_, code, end) => {
      const reseller = await freshReseller();
      await buy(reseller, 75);
      const expiresAt = new Date(panel.clock.now + msPerDay).toISOString();
      await createApiKey(reseller, "reseller", { scopes: ["keys:manage"], expiresAt });
      const [{ id }] = (await reseller.get("/api/reseller/api-keys")).body;
      const { sessionId: _sessionId, ...account } = (await callerOf(reseller)) as PersonCaller;
      const apiKey = { id, name: "Shop", scopes: ["keys:manage" as const], limitPerDayTenths: null };
      const { mark } = (await reseller.post(at, {})).body;
      const selectedKeys = interrupted(3, () => end(reseller, id));
      const broken = await selectedKeys.revoke({ ...account, apiKey }, { mark, count: 75 }).catch((error) => error);
      expect(broken).toMatchObject({
        code,
        message: expect.stringContaining("50 of 75 keys were revoked; the others were not."),
      });
      const left = await admin.get(`/api/admin/resellers/${reseller.id}/keys?limit=100&status=ACTIVE`);
      expect(left.body).toHaveLength(25);
    },
  );

  test("by a program at a foreign address does not begin", async () => {
    const reseller = await freshReseller();
    await buy(reseller, 75);
    const { mark } = (await reseller.post(at, {})).body;
    const apiKey = await createApiKey(reseller, "reseller", { scopes: ["keys:manage"], addresses: ["203.0.113.7"] });
    const { status, body } = await withApiKey(panel.newClient(), apiKey).post(`${at}/revoke`, { mark, count: 75 });
    expect([status, body.code]).toEqual([403, "ADDRESS_NOT_ALLOWED"]);
    expect((await reseller.post(at, {})).body).toMatchObject({ selected: 75, revoked: 0 });
  });

  test("that is interrupted reports its progress, and continues when repeated", async () => {
    const reseller = await freshReseller();
    for (let batch = 0; batch < 3; batch += 1) await buy(reseller, 100, 5);
    const caller = await callerOf(reseller);
    panel.clock.now += 1_000;
    const { mark } = (await reseller.post(at, {})).body;
    const selectedKeys = interrupted(12, () => reseller.post("/api/auth/logout"));
    const broken = await selectedKeys.revoke(caller, { mark, count: 300 }).catch((error) => error);
    expect(broken).toMatchObject({
      code: "NOT_SIGNED_IN",
      message: "275 of 300 keys were revoked; the others were not. Please sign in first.",
    });
    await reseller.post("/api/auth/reseller/login", {
      username: reseller.username,
      password: "test-reseller-password",
    });
    expect((await reseller.post(at, { mark })).body).toMatchObject({ selected: 300, revoked: 0, toRevoke: 25 });
    const { body } = await reseller.post(`${at}/revoke`, { mark, count: 300 });
    expect(body).toMatchObject({ revokedCount: 300, passedOver: { revoked: 0, expired: 0 } });
    const rows = await recordOf(10);
    const counts = rows
      .filter(
        ({ action, target }: { action: string; target: string }) =>
          [action, target].join() === ["key_revoked", `keys of ${reseller.username}`].join(),
      )
      .map(({ details }: { details: { count: number } }) => details.count);
    expect(counts).toEqual([25, 300]);
  });
});

describe("noting", () => {
  test("notes every selected key, counts unchanged ones, and leaves one audit row", async () => {
    const { reseller, used } = await mixed();
    await reseller.call("PUT", `/api/reseller/keys/${used.id}/note`, { note: "Sold" });
    const { body: shown } = await reseller.post(at, { note: "Sold" });
    expect(shown).toMatchObject({ selected: 7, toNote: 6 });
    const form = { mark: shown.mark, count: 7, note: " Sold " };
    const { status, body } = await reseller.call("PUT", `${at}/note`, form);
    expect([status, body]).toEqual([200, { message: "Note saved", notedCount: 6, unchangedCount: 1 }]);
    const [row] = await recordOf();
    expect(row).toMatchObject({ action: "note_changed", details: { count: 6, resellerId: reseller.id } });
    expect((await reseller.get("/api/reseller/keys?search=sold")).body).toHaveLength(7);
    expect((await reseller.call("PUT", `${at}/note`, form)).body).toMatchObject({ notedCount: 0, unchangedCount: 7 });
    expect((await recordOf())[0].id).toBe(row.id);
    const { events } = (await reseller.get(`/api/reseller/keys/${used.id}/timeline`)).body;
    expect(events.filter(({ kind }: { kind: string }) => kind === "noted")).toHaveLength(1);
    // Found by the old note: a repeated call has nothing left to do, which is no mistake.
    const { body: found } = await reseller.post(at, { search: "sold" });
    const away = { search: "sold", mark: found.mark, count: 7 };
    expect((await reseller.call("PUT", `${at}/note`, away)).body).toMatchObject({ notedCount: 7 });
    expect((await reseller.call("PUT", `${at}/note`, away)).body).toMatchObject({ notedCount: 0 });
  });

  test("applies only to own keys, and not to more keys than shown", async () => {
    const keys = await makeAdminKeys(3);
    const ids = keys.map(({ id }) => id);
    const { mark } = (await admin.post(atAdmin, { ids })).body;
    const note = "Testers";
    const more = await admin.call("PUT", `${atAdmin}/note`, { ids, mark, count: 2, note });
    expect([more.status, more.body.message]).toEqual([
      409,
      "3 keys in this selection match, so nothing was noted. Please check again.",
    ]);
    expect((await admin.call("PUT", `${atAdmin}/note`, { ids, mark, count: 3, note })).body.notedCount).toBe(3);
    expect((await recordOf())[0]).toMatchObject({ target: "keys of all admins", details: { count: 3 } });
    const { reseller } = await mixed();
    const ofReseller = { resellerId: reseller.id, mark, count: 7, note };
    const refused = await admin.call("PUT", `${atAdmin}/note`, ofReseller);
    expect([refused.status, refused.body.message]).toEqual([
      404,
      "Only the reseller can change the notes on these keys.",
    ]);
  });
});

test("selected keys can be downloaded as CSV and text, as shown, which is in the audit log", async () => {
  const { reseller, used, unused } = await mixed();
  await reseller.call("PUT", `/api/reseller/keys/${used.id}/note`, { note: '=HYPERLINK("x")' });
  const { mark } = (await reseller.post(at, { status: "ACTIVE" })).body;
  await buy(reseller, 1);
  const form = { status: "ACTIVE", mark };
  const csv = await reseller.post(`${at}/download`, { ...form, format: "csv" });
  expect(csv.headers.get("content-type")).toContain("text/csv");
  expect(csv.headers.get("content-disposition")).toMatch(/filename="latchkey-keys-\d{4}-\d\d-\d\d\.csv"/);
  const lines = csv.text.trim().split("\r\n");
  expect(lines[0]).toBe(
    "id,key,game,status,devices,deviceLimit,created,expires,order,note,starts,durationHours,started,paused",
  );
  expect(lines.slice(1).map((line) => Number(line.split(",")[0]))).toEqual([...unused, used].map(({ id }) => id));
  expect(lines[3]).toContain(`"'=HYPERLINK(""x"")",creation,720,`);
  expect((await recordOf())[0]).toMatchObject({
    ...{ action: "data_downloaded", target: `keys of ${reseller.username}`, details: { count: 3 } },
  });
  const txt = await reseller.post(`${at}/download`, { ids: [used.id], format: "txt" });
  expect(txt.text).toBe(`${used.keyString}\n`);
  expect((await reseller.post(`${at}/download`, form)).body.message).toBe("format is required");
  const other = await freshReseller();
  expect((await other.post(`${at}/download`, { ids: [used.id], format: "txt" })).text).toBe("");
});
