import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { type CountedVerdict, createStatistics, createStatisticsRetention } from "./statistics.ts";

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

async function buyKey(): Promise<{ id: number; keyString: string }> {
  const order = { game, deviceLimit: 1, days: 5, count: 1 };
  return (await seller.post("/api/reseller/keys/generate", order)).body.keys[0];
}

const verify = (key: string, deviceId: string, name = game) =>
  panel.newClient().post("/api/verify", { key, deviceId, game: name });

type Row = Record<string, unknown>;

const refusals = () => panel.database.read<Row>`
  SELECT refused_day AS day, key_id AS key, verdict_code AS code, refusal_count AS count, last_at AS at, last_device_id AS device
  FROM key_refusals ORDER BY 1, 2, 3`;
const ownersVerdicts = () => panel.database.read<Row>`
  SELECT told_day AS day, owner, verdict_code AS code, verdict_count AS count, connected_count AS connected
  FROM verdict_totals ORDER BY 1, 2, 3`;
const allVerdicts = () => panel.database.read<Row>`
  SELECT told_day AS day, verdict_code AS code, verdict_count AS count, connected_count AS connected
  FROM all_verdict_totals ORDER BY 1, 2`;

function expired(keyId: number, over: Partial<CountedVerdict> = {}): CountedVerdict {
  const key = { id: keyId, resellerId: null };
  const verdict = { code: "EXPIRED", key, text: "KEY", deviceId: "phone" } as const;
  return { ...verdict, isNewDevice: false, at: panel.clock.now, ...over };
}

/** The database, with other transactions. */
function databaseWith(transaction: Database["transaction"]): Database {
  return { ...panel.database, transaction };
}

test("verdicts are counted by day, owner and code, and refusals by key, with the last time and device", async () => {
  const key = await buyKey();
  const { body } = await admin.post("/api/admin/keys/generate", {
    ...{ game, deviceLimit: 1, expiryDate: isoOf(panel.clock.now + msPerDay), count: 1 },
  });
  await verify(key.keyString, "phone");
  await verify(key.keyString, "phone");
  await verify(key.keyString, "tablet");
  panel.clock.now += msPerHour;
  await verify(key.keyString, "console");
  await verify(body.keys[0].keyString, "phone");
  await panel.server.statistics.write();
  await verify(key.keyString, "console");
  await panel.server.statistics.write();

  const day = today();
  expect(await refusals()).toEqual([{ day, key: key.id, code: 4, count: 3, at: panel.clock.now, device: "console" }]);
  expect(await ownersVerdicts()).toEqual([
    { day, owner: 0, code: 0, count: 1, connected: 1 },
    { day, owner: seller.id, code: 0, count: 2, connected: 1 },
    { day, owner: seller.id, code: 4, count: 3, connected: 0 },
  ]);
  expect(await allVerdicts()).toEqual([
    { day, code: 0, count: 3, connected: 2 },
    { day, code: 4, count: 3, connected: 0 },
  ]);
});

test("a text that is no key has no owner, a key of another game is not refused, and a preview is not counted", async () => {
  const key = await buyKey();
  await verify("NO-SUCH-KEY", "phone");
  await verify(key.keyString, "phone", "PUBG MOBILE");
  await panel.newClient().get(`/api/verify/${key.keyString}/FREE%20FIRE/phone`);
  await panel.server.statistics.write();
  expect(await allVerdicts()).toEqual([{ day: today(), code: 1, count: 2, connected: 0 }]);
  expect([await ownersVerdicts(), await refusals()]).toEqual([[], []]);
});

test("verdicts of two days that are written together have one row for each day", async () => {
  const key = await buyKey();
  await verify(key.keyString, "phone");
  for (let day = 0; day < 2; day += 1) {
    await verify(key.keyString, "tablet");
    panel.clock.now += msPerDay;
  }
  await panel.server.statistics.write();
  const last = today();
  expect((await refusals()).map(({ day, count }) => [day, count])).toEqual([
    [last - 2, 1],
    [last - 1, 1],
  ]);
  expect((await ownersVerdicts()).map(({ day, code, count }) => [day, code, count])).toEqual([
    [last - 2, 0, 1],
    [last - 2, 4, 1],
    [last - 1, 4, 1],
  ]);
});

test("a flood of unknown keys makes one row, and a flood of refused keys at most 20,000", async () => {
  await panel.database.transaction(
    null,
    ({ sql }) => sql`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
    INSERT INTO license_keys (key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
    SELECT 'FLOOD-' || i, 'flood-' || i, 3, 1, 1, 2, 1 FROM n`,
  );
  const statistics = createStatistics(panel);
  for (let id = 1; id <= 20_100; id += 1) {
    statistics.count(expired(id));
    statistics.count(expired(id, { code: "NOT_FOUND", key: null }));
  }
  await statistics.write();
  expect(await refusals()).toHaveLength(20_000);
  // The verdicts themselves are all counted.
  expect(await allVerdicts()).toEqual([
    { day: today(), code: 1, count: 20_100, connected: 0 },
    { day: today(), code: 3, count: 20_100, connected: 0 },
  ]);
});

test("counters that the disk refuses are written once by the next flush", async () => {
  const { id } = await buyKey();
  const key = { id, resellerId: seller.id };
  let isFull = true;
  const database = databaseWith((_queue, work) => {
    if (isFull) return Promise.reject(new Refusal("STORAGE_UNAVAILABLE", "The disk is full."));
    return panel.database.transaction(null, work);
  });
  const statistics = createStatistics({ database, metrics: panel.metrics });
  statistics.count(expired(id, { key }));
  statistics.count(expired(id, { key, code: "VALID", isNewDevice: true }));
  await statistics.write();
  isFull = false;
  statistics.count(expired(id, { key, deviceId: "tablet" }));
  await statistics.write();
  await statistics.write();
  expect((await refusals()).map(({ count, device }) => [count, device])).toEqual([[2, "tablet"]]);
  const counts = (row: Row) => [row.code, row.count, row.connected];
  const expected = [
    [0, 1, 1],
    [3, 2, 0],
  ];
  expect((await ownersVerdicts()).map(counts)).toEqual(expected);
  expect((await allVerdicts()).map(counts)).toEqual(expected);
});

test("the last device is the latest, even if an earlier refusal is written after it", async () => {
  const { id } = await buyKey();
  const refused = Promise.withResolvers<never>();
  const isRefused = Promise.withResolvers<void>();
  let isFull = true;
  const database = databaseWith((_queue, work) => {
    if (!isFull) return panel.database.transaction(null, work);
    isRefused.resolve();
    return refused.promise;
  });
  const statistics = createStatistics({ database, metrics: panel.metrics });
  statistics.count(expired(id, { deviceId: "phone" }));
  const failing = statistics.write();
  await isRefused.promise;
  statistics.count(expired(id, { deviceId: "tablet", at: panel.clock.now + 1 }));
  refused.reject(new Refusal("STORAGE_UNAVAILABLE", "The disk is full."));
  await failing;
  isFull = false;
  await statistics.write();
  const [row] = await refusals();
  expect(row).toMatchObject({ count: 2, device: "tablet", at: panel.clock.now + 1 });
});

test("with many owners, a failed batch is written by the next flush, and the others are not counted twice", async () => {
  let batches = 0;
  const database = databaseWith((_queue, work) => {
    batches += 1;
    if (batches === 2) return Promise.reject(new Refusal("STORAGE_UNAVAILABLE", "The disk is full."));
    return panel.database.transaction(null, work);
  });
  const statistics = createStatistics({ database, metrics: panel.metrics });
  for (let resellerId = 1; resellerId <= 250; resellerId += 1) {
    statistics.count(expired(1, { code: "VALID", key: { id: 1, resellerId } }));
  }
  await statistics.write();
  expect(await ownersVerdicts()).toHaveLength(150);
  await statistics.write();
  expect((await ownersVerdicts()).map(({ count }) => count)).toEqual(Array(250).fill(1));
  expect((await allVerdicts()).map(({ count }) => count)).toEqual([250]);
});

test("many owners are written 100 at a time, and timers run between two batches", async () => {
  const turnOfBatch: number[] = [];
  let turns = 0;
  const database = databaseWith(async () => {
    turnOfBatch.push(turns);
    return undefined as never;
  });
  const statistics = createStatistics({ database, metrics: panel.metrics });
  for (let resellerId = 1; resellerId <= 250; resellerId += 1) {
    statistics.count(expired(1, { code: "VALID", key: { id: 1, resellerId } }));
  }
  const ticking = setInterval(() => (turns += 1), 0);
  await statistics.write();
  clearInterval(ticking);
  const [first = 0, second = 0, third = 0, ...more] = turnOfBatch;
  expect(more).toEqual([]);
  expect(first < second && second < third).toBe(true);
});

test("counters are written regularly", async () => {
  const statistics = createStatistics(panel, { everyMs: 1 });
  for (const count of [1, 2]) {
    statistics.count(expired(1, { code: "VALID" }));
    while ((await allVerdicts())[0]?.count !== count) await Bun.sleep(1);
  }
});

test("refusals are kept for 90 days, and counts of verdicts for 400", async () => {
  const key = await buyKey();
  const statistics = createStatistics(panel);
  for (const daysAgo of [401, 400, 91, 90]) {
    statistics.count(expired(key.id, { at: panel.clock.now - daysAgo * msPerDay }));
  }
  await statistics.write();
  await createStatisticsRetention({ database: panel.database, now: () => panel.clock.now }).eraseOld();
  const daysAgo = (rows: Row[]) => rows.map(({ day }) => today() - Number(day));
  expect([await refusals(), await ownersVerdicts(), await allVerdicts()].map(daysAgo)).toEqual([
    [90],
    [400, 91, 90],
    [400, 91, 90],
  ]);
});
