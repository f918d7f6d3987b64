import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";
import type { Sql } from "../db/contract.ts";
import { contentRules } from "../db/copies/content-rules.ts";
import type { Intervention } from "./schema.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 1_000 });
});

afterEach(async () => {
  await panel.server.interventionWork.run();
  for (const { broken, problem } of contentRules) {
    expect({ problem, rows: await panel.database.read`${{ strings: [broken], values: [] }}` }).toEqual({
      problem,
      rows: [],
    });
  }
  await panel.close();
});

interface Key {
  id: number;
  keyString: string;
  orderId: number;
  expiryDate: string;
}

async function buy(over: object = {}, by: Client = seller): Promise<Key[]> {
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, ...over };
  return (await by.post("/api/reseller/keys/generate", order)).body.keys;
}
/** More than one batch. */
const many = async () => [...(await buy({ count: 60 })), ...(await buy({ count: 60 }))];
const one = async (over: object = {}) => (await buy(over))[0] as Key;

const form = { kind: "compensate", scope: { all: true }, reason: "Outage of 5 March", dryRun: false };
const compensation = { ...form, hours: 24 };
const send = (over: object, headers: Record<string, string> = {}) =>
  admin.post("/api/admin/interventions", { ...form, ...over }, headers);

/** Starts it and waits until it is done. */
async function intervene(over: object): Promise<Intervention> {
  const { status, body } = await send(over);
  expect(status).toBe(202);
  await panel.server.interventionWork.run();
  return listed(body.id);
}
const listed = async (id: number): Promise<Intervention> =>
  (await admin.get("/api/admin/interventions")).body.find((each: Intervention) => each.id === id);
async function undo(id: number): Promise<Intervention> {
  const { status, body } = await admin.post(`/api/admin/interventions/${id}/undo`);
  expect(status).toBe(202);
  expect(body).toMatchObject({ id, state: "undoing" });
  await panel.server.interventionWork.run();
  return listed(id);
}

const opened = async ({ id }: Pick<Key, "id">) => (await admin.get(`/api/admin/keys/${id}/details`)).body;
const expiry = async (key: Pick<Key, "id">) => (await opened(key)).expiryDate;
const plus = (key: Key, ms: number) => isoOf(Date.parse(key.expiryDate) + ms);
const revoke = ({ id }: Key) => admin.call("DELETE", `/api/admin/keys/${id}`);
const pause = ({ id }: Key, by: "admin" | "reseller" = "admin") =>
  (by === "admin" ? admin : seller).post(`/api/${by}/keys/${id}/pause`);
const events = async ({ id }: Key) =>
  (await admin.get(`/api/admin/keys/${id}/timeline`)).body.events.map(
    ({ kind, by, count }: { kind: string; by: string | null; count: number | null }) => [kind, by, count],
  );

/** Sessions end after 7 idle days. */
async function signInAgain(): Promise<void> {
  admin = await signInAdmin(panel.newClient);
  await seller.post("/api/auth/reseller/login", { username: "seller", password: "test-reseller-password" });
}

describe("a compensation", () => {
  test("adds its hours to every key that has started and is ACTIVE or PAUSED, and to no other", async () => {
    const expired = await one();
    panel.clock.now = Date.parse(expired.expiryDate);
    await signInAgain();
    const [active, paused, revoked] = await buy({ count: 3 });
    const waiting = await one({ starts: "first_use" });
    if (!active || !paused || !revoked) throw new Error("There are too few keys.");
    await pause(paused);
    await revoke(revoked);
    const done = await intervene(compensation);
    expect(done).toMatchObject({ count: 2, done: 2, state: "finished", hours: 24, since: null, scope: { all: true } });
    expect(await expiry(active)).toBe(plus(active, msPerDay));
    expect(await expiry(paused)).toBe(plus(paused, msPerDay));
    expect(await expiry(revoked)).toBe(revoked.expiryDate);
    expect(await expiry(expired)).toBe(expired.expiryDate);
    expect(await opened(waiting)).toMatchObject({ expiryDate: null, durationHours: 120 });
    expect((await events(active))[0]).toEqual(["compensated", "admin", 24]);
  });

  test("includes keys that expired after `since`, which may be ACTIVE again", async () => {
    const early = await one();
    panel.clock.now += msPerHour;
    const late = await one();
    panel.clock.now = Date.parse(late.expiryDate) + msPerHour;
    await signInAgain();
    const done = await intervene({ ...compensation, since: early.expiryDate });
    expect(done).toMatchObject({ count: 1, done: 1, since: early.expiryDate });
    expect(await opened(early)).toMatchObject({ status: "EXPIRED", expiryDate: early.expiryDate });
    expect(await opened(late)).toMatchObject({ status: "ACTIVE", expiryDate: plus(late, msPerDay) });
  });

  test("of a game, a reseller or an order affects only its keys", async () => {
    const other = await registerReseller(panel.newClient, admin, { username: "other", credits: 10 });
    const [mine] = await buy();
    const [another] = await buy({ game: "PUBG MOBILE" });
    const [theirs] = await buy({}, other);
    const keys = [mine, another, theirs] as Key[];
    const scopes = [{ gameId: 1 }, { resellerId: other.id }, { orderId: mine?.orderId }];
    for (const scope of scopes) expect(await intervene({ ...compensation, scope })).toMatchObject({ scope, count: 1 });
    expect(await Promise.all(keys.map(expiry))).toEqual(keys.map((key) => plus(key, msPerDay)));
  });

  test("is judged by its own instant: keys that expire while others are handled are not left out", async () => {
    const key = await one();
    panel.clock.now = Date.parse(key.expiryDate) - 1;
    await signInAgain();
    const { body } = await send(compensation);
    panel.clock.now += 2;
    await panel.server.interventionWork.run();
    expect(await opened(key)).toMatchObject({ status: "ACTIVE", expiryDate: plus(key, msPerDay) });
    expect(await listed(body.id)).toMatchObject({ count: 1, done: 1 });
  });

  test("handles no key that was made later, or that starts later", async () => {
    await many();
    const waiting = await one({ starts: "first_use" });
    const { body } = await send(compensation);
    panel.clock.now += 1;
    const later = await one();
    await panel.newClient().post("/api/verify", { key: waiting.keyString, game: "FREE FIRE", deviceId: "phone" });
    await panel.server.interventionWork.run();
    expect(await listed(body.id)).toMatchObject({ count: 120, done: 120, state: "finished" });
    expect(await expiry(later)).toBe(later.expiryDate);
    expect(await expiry(waiting)).toBe(isoOf(panel.clock.now + 120 * msPerHour));
  });

  test("and pauses at the same time: each key gets its hours and the time that it was paused", async () => {
    const keys = await many();
    await send(compensation);
    await Promise.all(keys.slice(80).map((key) => pause(key)));
    panel.clock.now += msPerHour;
    await Promise.all(keys.slice(80).map(({ id }) => admin.post(`/api/admin/keys/${id}/resume`)));
    await panel.server.interventionWork.run();
    const expected = keys.map((key, index) => plus(key, msPerDay + (index >= 80 ? msPerHour : 0)));
    expect(await Promise.all(keys.map(expiry))).toEqual(expected);
  });

  test("two at once add up", async () => {
    const keys = await many();
    await Promise.all([send(compensation), send({ ...compensation, hours: 1 })]);
    await panel.server.interventionWork.run();
    expect(await Promise.all(keys.map(expiry))).toEqual(keys.map((key) => plus(key, 25 * msPerHour)));
  });
});

describe("a pause of many keys", () => {
  test("affects ACTIVE keys, started or not, and gives no days of resellers away", async () => {
    const [active, expired] = await buy({ count: 2 });
    const waiting = await one({ starts: "first_use" });
    if (!active || !expired) throw new Error("There are too few keys.");
    await revoke(expired);
    expect(await intervene({ kind: "pause" })).toMatchObject({ count: 2, done: 2, hours: null, state: "finished" });
    expect(await opened(active)).toMatchObject({ status: "PAUSED" });
    expect(await opened(waiting)).toMatchObject({ status: "PAUSED", expiryDate: null });
    expect(await seller.post(`/api/reseller/keys/${active.id}/resume`)).toMatchObject({
      body: { code: "PAUSED_BY_ADMIN" },
    });
    panel.clock.now += 6 * msPerDay;
    expect(await intervene({ kind: "resume" })).toMatchObject({ count: 2, done: 2 });
    expect(await opened(active)).toMatchObject({ status: "ACTIVE", expiryDate: plus(active, 6 * msPerDay) });
    expect((await events(active)).slice(0, 2)).toEqual([
      ["resumed", "admin", null],
      ["paused", "admin", null],
    ]);
  });

  test("is listed by game for admins and its resellers, with what they read, while keys are paused by it", async () => {
    const other = await registerReseller(panel.newClient, admin, { username: "other", credits: 10 });
    const [first, second] = await buy({ count: 2 });
    const [theirs] = await buy({ game: "PUBG MOBILE" }, other);
    const at = isoOf(panel.clock.now);
    await intervene({ kind: "pause", resellerNote: " We move servers. " });
    const pauses = async (by: Client, role: string) => (await by.get(`/api/${role}/pauses`)).body;
    const row = { interventionId: 1, at, resellerNote: "We move servers." };
    const [pubg, fire] = [
      { ...row, game: "PUBG MOBILE", keys: 1 },
      { ...row, game: "FREE FIRE", keys: 2 },
    ];
    expect(await pauses(admin, "admin")).toEqual([pubg, fire]);
    expect(await pauses(seller, "reseller")).toEqual([fire]);
    expect(await pauses(other, "reseller")).toEqual([pubg]);
    expect(await opened(first as Key)).toMatchObject({ status: "PAUSED", pauseNote: "We move servers." });
    expect((await other.get(`/api/reseller/keys/${theirs?.id}`)).body).toMatchObject({ pauseNote: row.resellerNote });
    await revoke(first as Key);
    expect(await opened(first as Key)).toMatchObject({ status: "REVOKED", pauseNote: null });
    expect(await pauses(seller, "reseller")).toEqual([{ ...fire, keys: 1 }]);
    await intervene({ kind: "resume", scope: { resellerId: seller.id } });
    expect(await opened(second as Key)).toMatchObject({ status: "ACTIVE", pauseNote: null });
    expect(await pauses(admin, "admin")).toEqual([pubg]);
    for (const wrong of [
      { kind: "resume" },
      { kind: "compensate", hours: 1 },
      { kind: "pause", resellerNote: "a\nb" },
    ]) {
      const { status, body } = await send({ resellerNote: "We move servers.", ...wrong });
      expect({ status, body }).toMatchObject({ status: 422, body: { errors: [{ path: "resellerNote" }] } });
    }
  });

  test("leaves those paused that were paused one by one when it is resumed", async () => {
    const [mine, admins, both, other] = await buy({ count: 4 });
    if (!mine || !admins || !both || !other) throw new Error("There are too few keys.");
    await pause(mine, "reseller");
    await pause(admins);
    expect(await intervene({ kind: "pause" })).toMatchObject({ count: 2 });
    await pause(both);
    expect(await intervene({ kind: "resume" })).toMatchObject({ count: 2, done: 2 });
    const statuses = await Promise.all([mine, admins, both, other].map(async (key) => (await opened(key)).status));
    expect(statuses).toEqual(["PAUSED", "PAUSED", "ACTIVE", "ACTIVE"]);
  });

  test("also pauses a key whose reseller's pause was used up before it", async () => {
    const key = await one({ days: 60 });
    await pause(key, "reseller");
    panel.clock.now += 31 * msPerDay;
    await signInAgain();
    expect(await intervene({ kind: "pause" })).toMatchObject({ count: 1, done: 1 });
    expect(await opened(key)).toMatchObject({ status: "PAUSED", pausedAt: isoOf(panel.clock.now) });
  });
});

test("a dry run counts the keys, and changes and records nothing", async () => {
  const key = await one();
  expect(await send({ ...compensation, dryRun: true })).toMatchObject({ status: 200, body: { id: null, count: 1 } });
  expect((await admin.get("/api/admin/interventions")).body).toEqual([]);
  expect(await expiry(key)).toBe(key.expiryDate);
  expect((await admin.get("/api/admin/audit?action=intervention_started")).body).toEqual([]);
});

test("a retry with the same Idempotency-Key starts nothing, and another body is refused", async () => {
  const key = await one();
  const headers = { "idempotency-key": "outage" };
  const first = await send(compensation, headers);
  const again = await send(compensation, headers);
  expect([again.status, again.body]).toEqual([202, first.body]);
  expect((await send({ ...compensation, hours: 1 }, headers)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  await panel.server.interventionWork.run();
  expect(await expiry(key)).toBe(plus(key, msPerDay));
});

test("the list has the newest first, with who, when, why and how far", async () => {
  await buy({ count: 3 });
  const first = await intervene(compensation);
  await intervene({ kind: "pause", scope: { gameId: 3 }, reason: "Attack" });
  const { body } = await admin.get("/api/admin/interventions");
  const at = isoOf(panel.clock.now);
  expect(body).toEqual([
    {
      ...{ id: first.id + 1, kind: "pause", scope: { gameId: 3 }, hours: null, since: null, reason: "Attack" },
      ...{ by: "admin", at, count: 3, done: 3, state: "finished" },
    },
    {
      ...{ id: first.id, kind: "compensate", scope: { all: true }, hours: 24, since: null, reason: form.reason },
      ...{ by: "admin", at, count: 3, done: 3, state: "finished" },
    },
  ]);
});

test("the audit log says what was started and undone, and why", async () => {
  await buy();
  const { id } = await intervene({ ...compensation, scope: { resellerId: seller.id } });
  await undo(id);
  const { body } = await admin.get("/api/admin/audit?limit=2");
  const details = { kind: "compensate", hours: 24, owner: "seller", resellerId: seller.id };
  expect(body).toMatchObject([
    { action: "intervention_undone", target: `intervention ${id}`, details },
    {
      action: "intervention_started",
      target: `intervention ${id}`,
      details: { ...details, count: 1, reason: form.reason },
    },
  ]);
});

test.each<[string, object, number, string]>([
  ["no hours of a compensation", { ...compensation, hours: undefined }, 422, "hours is required"],
  ["no whole hours", { ...compensation, hours: 1.5 }, 422, "hours must be a whole number from 1 to 8760"],
  ["too many hours", { ...compensation, hours: 8_761 }, 422, "hours must be a whole number from 1 to 8760"],
  ["hours of a pause", { kind: "pause", hours: 1 }, 422, "hours is only for compensations"],
  ["since of a pause", { kind: "pause", since: "2025-03-01" }, 422, "since is only for compensations"],
  ["no instant", { ...compensation, since: "yesterday" }, 422, "since must be an ISO date or date-time"],
  ["a future instant", { ...compensation, since: "2025-03-06" }, 422, "since must not be in the future"],
  [
    "no reason",
    { ...compensation, reason: " " },
    422,
    "reason must be one line of 1 to 200 characters, without invisible ones",
  ],
  [
    "a long reason",
    { ...compensation, reason: "x".repeat(201) },
    422,
    "reason must be one line of 1 to 200 characters, without invisible ones",
  ],
  ["no dryRun", { ...compensation, dryRun: undefined }, 422, "dryRun is required"],
  [
    "two scopes",
    { ...compensation, scope: { gameId: 1, orderId: 1 } },
    422,
    "scope must name all keys, one game, one reseller or one order",
  ],
  ["no scope", { ...compensation, scope: {} }, 422, "scope must name all keys, one game, one reseller or one order"],
  ["an unknown game", { ...compensation, scope: { gameId: 999 } }, 404, "There is no such game."],
  ["an admin as reseller", { ...compensation, scope: { resellerId: 1 } }, 404, "There is no such reseller."],
  ["an unknown order", { ...compensation, scope: { orderId: 999 } }, 404, "There is no such order."],
])("%s is refused", async (_what, over, status, message) => {
  for (const dryRun of [true, false]) {
    const sent = await send("dryRun" in over && over.dryRun === undefined ? over : { ...over, dryRun });
    expect([sent.status, sent.body.message]).toEqual([status, message]);
  }
});

test("while the clock is ahead, nothing is started, undone or continued", async () => {
  const key = await one();
  const { id } = await intervene(compensation);
  panel.clock.isAhead = true;
  expect(await send(compensation)).toMatchObject({ status: 503, body: { code: "CLOCK_AHEAD" } });
  expect(await admin.post(`/api/admin/interventions/${id}/undo`)).toMatchObject({ body: { code: "CLOCK_AHEAD" } });
  panel.clock.isAhead = false;
  const { body } = await admin.post(`/api/admin/interventions/${id}/undo`);
  panel.clock.isAhead = true;
  await panel.server.interventionWork.run();
  panel.clock.isAhead = false;
  await panel.server.interventionWork.run();
  expect(body.state).toBe("undoing");
  expect([await expiry(key), (await listed(id)).state]).toEqual([key.expiryDate, "undone"]);
});

describe("undoing a compensation", () => {
  test("takes back exactly what it gave, and nothing of another", async () => {
    const keys = await many();
    const first = await intervene(compensation);
    const second = await intervene({ ...compensation, hours: 3 });
    expect(await undo(first.id)).toMatchObject({ state: "undone", count: 120, done: 0 });
    expect(await Promise.all(keys.map(expiry))).toEqual(keys.map((key) => plus(key, 3 * msPerHour)));
    expect((await events(keys[0] as Key)).slice(0, 3).map(([kind, , count]: unknown[]) => [kind, count])).toEqual([
      ["compensated", -24],
      ["compensated", 3],
      ["compensated", 24],
    ]);
    expect(await listed(second.id)).toMatchObject({ state: "finished", done: 120 });
  });

  test("again is a 409 ALREADY_UNDONE, and of a pause or a resumption a 409 NOT_UNDOABLE", async () => {
    const { id } = await intervene(compensation);
    const ids = [id, (await intervene({ kind: "pause" })).id, (await intervene({ kind: "resume" })).id, 999];
    await undo(id);
    const sent = await Promise.all(ids.map((each) => admin.post(`/api/admin/interventions/${each}/undo`)));
    expect(sent.map(({ status, body }) => [status, body.code])).toEqual([
      [409, "ALREADY_UNDONE"],
      [409, "NOT_UNDOABLE"],
      [409, "NOT_UNDOABLE"],
      [404, "NOT_FOUND"],
    ]);
  });

  test("leaves REVOKED keys alone", async () => {
    const key = await one();
    const { id } = await intervene(compensation);
    await revoke(key);
    expect(await undo(id)).toMatchObject({ state: "undone", done: 1 });
    expect(await opened(key)).toMatchObject({ status: "REVOKED", expiryDate: plus(key, msPerDay) });
  });

  test("takes nothing from a key that was extended after it had expired, and all from one extended before", async () => {
    const key = await one();
    const before = await one();
    const { id } = await intervene(compensation);
    await admin.post(`/api/admin/keys/${before.id}/extend`, { hours: 72 });
    panel.clock.now = Date.parse(plus(key, msPerDay));
    await signInAgain();
    await admin.post(`/api/admin/keys/${key.id}/extend`, { hours: 48 });
    const other = await intervene({ ...compensation, hours: 2, scope: { orderId: key.orderId } });
    expect(await undo(id)).toMatchObject({ state: "undone", count: 2, done: 1 });
    expect(await expiry(key)).toBe(isoOf(panel.clock.now + 50 * msPerHour));
    expect(await expiry(before)).toBe(plus(before, 72 * msPerHour));
    await undo(other.id);
    expect(await expiry(key)).toBe(isoOf(panel.clock.now + 48 * msPerHour));
  });

  test("takes it back from a paused key too, which then has the time left that it had", async () => {
    const key = await one();
    const { id } = await intervene(compensation);
    await pause(key);
    panel.clock.now += msPerHour;
    await undo(id);
    await admin.post(`/api/admin/keys/${key.id}/resume`);
    expect(await expiry(key)).toBe(plus(key, msPerHour));
  });

  test("stops one that is still running", async () => {
    const keys = await many();
    const { body } = await send(compensation);
    expect(await undo(body.id)).toMatchObject({ state: "undone", done: 0 });
    expect(await Promise.all(keys.map(expiry))).toEqual(keys.map(({ expiryDate }) => expiryDate));
    const compensated = await panel.database.read<{ sum: number }>`
      SELECT key_id, sum(amount) AS sum FROM key_events WHERE what = 'COMPENSATED' GROUP BY key_id HAVING sum(amount) <> 0`;
    expect(compensated).toEqual([]);
  });

  test("by two admins at once happens once", async () => {
    const key = await one();
    const { id } = await intervene(compensation);
    const second = await signInAdmin(panel.newClient);
    const both = [admin, second].map((each) => each.post(`/api/admin/interventions/${id}/undo`));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([202, 409]);
    await panel.server.interventionWork.run();
    expect(await expiry(key)).toBe(key.expiryDate);
  });
});

test("a key that is sold after the keys were counted stays as it is", async () => {
  const counted = await one();
  let sold = counted;
  const { query } = panel.database;
  const counting = spyOn(panel.database, "query").mockImplementationOnce((by) => {
    const countAndSell = async (strings: TemplateStringsArray, ...values: Parameters<Sql>[1][]) => {
      const rows = await query(by)(strings, ...values);
      sold = await one();
      return rows;
    };
    return countAndSell as Sql;
  });
  const { count, done } = await intervene({ kind: "pause" });
  counting.mockRestore();
  expect([count, done, (await opened(counted)).status, (await opened(sold)).status]).toEqual([
    1,
    1,
    "PAUSED",
    "ACTIVE",
  ]);
});

test("the counts of a million paused keys are kept for 20 seconds, because counting takes one", async () => {
  const [key] = await buy();
  await intervene({ kind: "pause", scope: { orderId: key?.orderId } });
  const pauses = async () => (await admin.get("/api/admin/pauses")).body.map(({ keys }: { keys: number }) => keys);
  expect(await pauses()).toEqual([1]);
  const row = { interventionId: 1, game: "FREE FIRE", at: 0, keys: 1_000_000, resellerNote: null };
  const counting = spyOn(panel.database, "query").mockImplementationOnce(() => (async () => [row]) as Sql);
  expect(await pauses()).toEqual([1_000_000]);
  counting.mockRestore();
  panel.clock.now += 19_999;
  expect(await pauses()).toEqual([1_000_000]);
  expect((await seller.get("/api/reseller/pauses")).body).toMatchObject([{ keys: 1 }]);
  panel.clock.now += 1;
  expect(await pauses()).toEqual([1]);
});
