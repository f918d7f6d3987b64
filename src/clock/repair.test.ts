import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { testsBeginAt } from "../../tests/database.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { dayOf, msPerDay, msPerHour } from "../core/clock.ts";
import { untilStarted } from "../core/key-time.ts";
import { withoutTriggers } from "../db/append-only.ts";
import { contentRules } from "../db/copies/content-rules.ts";
import { newestInstant } from "./instants-store.ts";
import { type MovedTimes, moveTimesBack } from "./repair-store.ts";

const aheadMs = 400 * msPerDay;
const repairedAt = testsBeginAt + msPerHour;

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let moved: MovedTimes;
let schemaBefore: unknown[];
const ids = { past: 0, future: 0, waiting: 0, paused: 0, resumed: 0, resumedLate: 0, compensated: 0 };

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "before", credits: 50 });
  ids.past = await buyAndConnect(reseller);
  const waiting = await buyWaiting(4);
  [ids.waiting = 0, ids.paused = 0, ids.resumed = 0, ids.resumedLate = 0] = waiting.map(({ id }) => id);
  await start(waiting[3]);
  await reseller.post(`/api/reseller/keys/${ids.resumedLate}/pause`);
  panel.clock.now += aheadMs;
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "since", credits: 50 });
  const webhook = { kind: "standard", url: "https://example.com", events: ["order.created", "key.expiring"] };
  const { id } = (await reseller.post("/api/reseller/webhooks", webhook)).body;
  await reseller.post(`/api/reseller/webhooks/${id}/rotate`);
  ids.future = await buyAndConnect(reseller);
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
  const [extended] = (await reseller.post("/api/reseller/keys/generate", order)).body.keys;
  await reseller.post(`/api/reseller/keys/${extended.id}/extend`, { days: 30 });
  await admin.post("/api/admin/keys/generate", {
    game: "FREE FIRE",
    deviceLimit: 1,
    count: 1,
    expiryDate: new Date(panel.clock.now + 10 * msPerDay).toISOString(),
  });
  ids.compensated = await buyAndConnect(reseller);
  const orderId = (await admin.get(`/api/admin/keys/${ids.compensated}/details`)).body.orderId;
  const compensation = { kind: "compensate", scope: { orderId }, hours: 24, reason: "Outage", dryRun: false };
  await admin.post("/api/admin/interventions", compensation);
  await panel.server.interventionWork.run();
  await start(waiting[1]);
  await start(waiting[2]);
  panel.clock.now += msPerDay;
  for (const id of [ids.waiting, ids.paused, ids.resumed]) await admin.post(`/api/admin/keys/${id}/pause`);
  await panel.database.write`UPDATE license_keys SET pause_ends_at = paused_at + ${msPerDay} WHERE id = ${ids.paused}`;
  panel.clock.now += msPerHour;
  await admin.post(`/api/admin/keys/${ids.resumed}/resume`);
  await admin.post("/api/admin/online-updates", { title: "News", message: "Soon", isActive: true });
  await admin.call("DELETE", `/api/admin/keys/${ids.past}`);
  await panel.server.statistics.write();
  schemaBefore = await schema();
  await repair(true).catch(() => {});
  expect(await newestInstant(panel.database.read)).toBeGreaterThan(repairedAt);
  moved = await repair(false);
  panel.clock.now = repairedAt;
});
afterAll(() => panel.close());

/** Buys a key for 30 days, connects its one device, and is refused for another. */
async function buyAndConnect(buyer: ResellerClient): Promise<number> {
  const { body } = await buyer.post("/api/reseller/keys/generate", {
    game: "FREE FIRE",
    deviceLimit: 1,
    days: 30,
    count: 1,
  });
  const [{ id, keyString }] = body.keys;
  for (const deviceId of ["phone", "other"]) {
    await panel.newClient().post("/api/verify", { key: keyString, game: "FREE FIRE", deviceId });
  }
  return id;
}

interface Waiting {
  id: number;
  keyString: string;
}

/** Buys keys that start at first use. */
async function buyWaiting(count: number): Promise<Waiting[]> {
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, starts: "first_use", count };
  return (await reseller.post("/api/reseller/keys/generate", order)).body.keys;
}

async function start(key: Waiting | undefined): Promise<void> {
  await panel.newClient().post("/api/verify", { key: key?.keyString, game: "FREE FIRE", deviceId: "phone" });
}

/** `isTry` rolls back at the end, as a dry run does. */
function repair(isTry: boolean): Promise<MovedTimes> {
  return panel.database.transaction(null, async ({ sql }) => {
    const isPostgres = panel.database.file === null;
    const result = await withoutTriggers(sql, { isPostgres }, () => moveTimesBack(sql, repairedAt));
    if (isTry) throw new Error("a try");
    return result;
  });
}

/** The texts of the tables and triggers, or on PostgreSQL the triggers and whether they are enabled. */
function schema(): Promise<unknown[]> {
  const { read, file } = panel.database;
  return file === null
    ? read`SELECT tgname, tgenabled::text AS enabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`
    : read`SELECT type, name, sql FROM sqlite_schema ORDER BY type, name`;
}

test("no time in the database is later than now, except for when keys expire", async () => {
  expect(await newestInstant(panel.database.read)).toBe(repairedAt);
  const tables = [
    "accounts",
    "audit",
    "credit_ledger",
    "key_devices",
    "license_keys",
    "orders",
    "sessions",
    "webhook_deliveries",
  ];
  expect([...moved.keys()]).toEqual(expect.arrayContaining(tables));
  const { body } = await admin.get("/api/admin/audit?limit=100");
  expect(body.filter(({ at }: { at: string }) => Date.parse(at) > repairedAt)).toEqual([]);
});

test("a key that was created in the future keeps its time, and one from before keeps its expiry", async () => {
  const times = async (id: number) => {
    const [row] = await panel.database.read<{ created: number; expires: number; revoked: number | null }>`
      SELECT created_at AS created, expires_at AS expires, revoked_at AS revoked FROM license_keys WHERE id = ${id}`;
    return row;
  };
  expect(await times(ids.future)).toEqual({ created: repairedAt, expires: repairedAt + 30 * msPerDay, revoked: null });
  expect(await times(ids.past)).toEqual({
    created: testsBeginAt,
    expires: testsBeginAt + 30 * msPerDay,
    revoked: repairedAt,
  });
});

test("a key that was started, paused, resumed or compensated in the future keeps the time it had left", async () => {
  const rows = await panel.database.read<{ id: number; expires: number; paused: number | null; ends: number | null }>`
    SELECT id, expires_at AS expires, paused_at AS paused, pause_ends_at AS ends FROM license_keys`;
  const found = Object.fromEntries(rows.map(({ id, ...times }) => [id, times]));
  const [at, days] = [repairedAt, (count: number) => repairedAt + count * msPerDay];
  expect(found[ids.waiting]).toEqual({ expires: untilStarted, paused: at, ends: null });
  expect(found[ids.paused]).toEqual({ expires: days(29), paused: at, ends: days(1) });
  expect(found[ids.resumed]).toEqual({ expires: days(29), paused: null, ends: null });
  // Its pause was used up in the future.
  expect(found[ids.resumedLate]).toEqual({ expires: days(30), paused: null, ends: null });
  expect(found[ids.compensated]).toEqual({ expires: days(31), paused: null, ends: null });
  const [intervention] = await panel.database.read<{ at: number }>`SELECT created_at AS at FROM interventions`;
  expect(intervention).toEqual({ at });
});

test("no device was seen later than today", async () => {
  const days = await panel.database.read`SELECT DISTINCT last_seen_day AS day FROM key_devices`;
  expect(days).toEqual([{ day: dayOf(repairedAt) }]);
});

test("balances, orders and totals agree with their rows", async () => {
  for (const { broken, problem } of contentRules) {
    expect({ problem, rows: await panel.database.read`${{ strings: [broken], values: [] }}` }).toEqual({
      problem,
      rows: [],
    });
  }
  const [verdicts] = await panel.database.read<{ days: number; count: number }>`
    SELECT count(DISTINCT told_day) AS days, sum(verdict_count) AS count FROM all_verdict_totals`;
  expect(verdicts).toEqual({ days: 1, count: 9 });
});

test("the triggers of append-only tables are in force again", async () => {
  expect(await schema()).toEqual(schemaBefore);
  const { write } = panel.database;
  await expect(write`UPDATE audit SET target = 'x'`).rejects.toThrow();
  await expect(write`UPDATE credit_ledger SET note = 'x'`).rejects.toThrow();
});

test("every time of something that happened is moved", async () => {
  if (panel.database.file === null) return;
  const columns = await panel.database.read<{ name: string }>`
    SELECT t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND (c.name = 'at' OR c.name LIKE '%\\_at' ESCAPE '\\') ORDER BY name`;
  const source = await Bun.file(`${import.meta.dir}/../clock/repair-store.ts`).text();
  const isMoved = (name: string) => source.includes(`["${name.split(".").join('", "')}"]`);
  expect(columns.map(({ name }) => name).filter((name) => !isMoved(name))).toEqual([
    "api_keys.expires_at",
    "clock_doubt.doubted_since_at",
    "license_keys.expires_at",
    "license_keys.pause_ends_at",
    "license_keys.paused_at",
    "license_keys.started_at",
  ]);
});
