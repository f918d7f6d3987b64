import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import type { StandingRow } from "./devices/device-store.ts";
import { createTally, type Told } from "./tally.ts";
import { createTallyRetention } from "./tally-retention.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 100 });
});
afterEach(() => panel.close());

const game = "FREE FIRE";
const today = () => Math.floor(panel.clock.now / msPerDay);

async function buyKey(order = {}): Promise<{ id: number; keyString: string }> {
  const whole = { game, deviceLimit: 1, days: 5, count: 1, ...order };
  return (await seller.post("/api/reseller/keys/generate", whole)).body.keys[0];
}

const ask = (key: string, deviceId: string, name = game) =>
  panel.newClient().post("/api/verify", { key, deviceId, game: name });

const refusals = () => panel.database.read<Record<string, unknown>>`
  SELECT refused_day AS day, key_id AS key, verdict_code AS code, refusal_count AS count, last_at AS at, last_device_id AS device
  FROM key_refusals ORDER BY 1, 2, 3`;
const verdicts = () => panel.database.read<Record<string, unknown>>`
  SELECT told_day AS day, owner, verdict_code AS code, verdict_count AS count, connected_count AS connected
  FROM verdict_totals ORDER BY 1, 2, 3`;
const allVerdicts = () => panel.database.read<Record<string, unknown>>`
  SELECT told_day AS day, verdict_code AS code, verdict_count AS count, connected_count AS connected
  FROM all_verdict_totals ORDER BY 1, 2`;

test("what clients were told is counted by day, owner and code, and refusals by key, with the last time and device", async () => {
  const key = await buyKey();
  const { body } = await admin.post("/api/admin/keys/generate", {
    ...{ game, deviceLimit: 1, expiryDate: isoOf(panel.clock.now + msPerDay), count: 1 },
  });
  await ask(key.keyString, "phone");
  await ask(key.keyString, "phone");
  await ask(key.keyString, "tablet");
  panel.clock.now += msPerHour;
  await ask(key.keyString, "console");
  await ask(body.keys[0].keyString, "phone");
  await panel.app.tally.write();
  await ask(key.keyString, "console");
  await panel.app.tally.write();

  const day = today();
  expect(await refusals()).toEqual([{ day, key: key.id, code: 4, count: 3, at: panel.clock.now, device: "console" }]);
  expect(await verdicts()).toEqual([
    { day, owner: 0, code: 0, count: 1, connected: 1 },
    { day, owner: seller.id, code: 0, count: 2, connected: 1 },
    { day, owner: seller.id, code: 4, count: 3, connected: 0 },
  ]);
  expect(await allVerdicts()).toEqual([
    { day, code: 0, count: 3, connected: 2 },
    { day, code: 4, count: 3, connected: 0 },
  ]);
});

test("a key that is none is nobody's, a key of another game is not refused, and to look registers nothing", async () => {
  const key = await buyKey();
  await ask("NO-SUCH-KEY", "phone");
  await ask(key.keyString, "phone", "PUBG MOBILE");
  await panel.newClient().get(`/api/verify/${key.keyString}/FREE%20FIRE/phone`);
  await panel.app.tally.write();
  expect(await allVerdicts()).toEqual([{ day: today(), code: 1, count: 2, connected: 0 }]);
  expect([await verdicts(), await refusals()]).toEqual([[], []]);
});

test("each day has its own row", async () => {
  const key = await buyKey();
  await ask(key.keyString, "phone");
  for (let day = 0; day < 2; day += 1) {
    await ask(key.keyString, "tablet");
    panel.clock.now += msPerDay;
  }
  await panel.app.tally.write();
  const last = today();
  expect((await refusals()).map(({ day, count }) => [day, count])).toEqual([
    [last - 2, 1],
    [last - 1, 1],
  ]);
});

const standing: StandingRow = {
  ...{ id: 1, game, deviceLimit: 1, deviceCount: 1, expiresAt: 1, revokedAt: null, resellerId: null, isKnown: 0 },
};
const told = (id: number, over: Partial<Told> = {}): Told => ({
  ...{ code: "EXPIRED", standing: { ...standing, id }, deviceId: "phone", isNewcomer: false, at: panel.clock.now },
  ...over,
});

test("a flood of keys that are none makes one row, and of refused keys no more are kept than a bound", async () => {
  await panel.database.transaction(
    null,
    ({ sql }) => sql`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
    INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, created_by)
    SELECT 'FLOOD-' || i, ${game}, 1, 1, 2, 1 FROM n`,
  );
  const tally = createTally(panel);
  for (let id = 1; id <= 20_100; id += 1) {
    tally.count(told(id));
    tally.count(told(id, { code: "NOT_FOUND", standing: null }));
  }
  await tally.write();
  expect(await refusals()).toHaveLength(20_000);
  // All of them are counted, though.
  expect(await allVerdicts()).toEqual([
    { day: today(), code: 1, count: 20_100, connected: 0 },
    { day: today(), code: 3, count: 20_100, connected: 0 },
  ]);
});

test("what the disk refuses is written the next time, once", async () => {
  const key = await buyKey();
  let isFull = true;
  const database: Database = {
    ...panel.database,
    transaction: (queue, work) => {
      if (isFull) return Promise.reject(new Refusal("STORAGE_UNAVAILABLE", "The disk is full."));
      return panel.database.transaction(queue, work);
    },
  };
  const tally = createTally({ database, metrics: panel.metrics });
  tally.count(told(key.id, { standing: { ...standing, id: key.id, resellerId: seller.id } }));
  tally.count(told(key.id, { code: "VALID", isNewcomer: true }));
  await tally.write();
  isFull = false;
  tally.count(told(key.id, { standing: { ...standing, id: key.id, resellerId: seller.id }, deviceId: "tablet" }));
  await tally.write();
  await tally.write();
  expect((await refusals()).map(({ count, device }) => [count, device])).toEqual([[2, "tablet"]]);
  expect((await allVerdicts()).map(({ code, count, connected }) => [code, count, connected])).toEqual([
    [0, 1, 1],
    [3, 2, 0],
  ]);
});

test("many owners are written bit by bit, and whoever waits for all of them has them at once", async () => {
  const began = Promise.withResolvers<void>();
  let units = 0;
  const database: Database = {
    ...panel.database,
    transaction(queue, work) {
      units += 1;
      return panel.database.transaction(queue, work).finally(began.resolve);
    },
  };
  const tally = createTally({ database, metrics: panel.metrics }, { everyMs: 1, withinMs: 60_000 });
  for (let owner = 1; owner <= 250; owner += 1) {
    tally.count(told(1, { code: "VALID", standing: { ...standing, resellerId: owner } }));
  }
  await began.promise;
  expect([units, (await verdicts()).length]).toEqual([1, 100]);
  await tally.write();
  expect([units, (await verdicts()).length]).toEqual([3, 250]);
});

test("refusals are kept for 90 days, and counts of verdicts for 400", async () => {
  const key = await buyKey();
  const tally = createTally(panel);
  for (const daysAgo of [401, 400, 91, 90]) tally.count(told(key.id, { at: panel.clock.now - daysAgo * msPerDay }));
  await tally.write();
  await createTallyRetention({ database: panel.database, now: () => panel.clock.now }).eraseOld();
  const daysAgo = (rows: Record<string, unknown>[]) => rows.map(({ day }) => today() - Number(day));
  expect([await refusals(), await verdicts(), await allVerdicts()].map(daysAgo)).toEqual([
    [90],
    [400, 91, 90],
    [400, 91, 90],
  ]);
});
