import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { testServer } from "../../tests/database.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { plansOf } from "../../tests/query-plans.ts";
import { dayOf, isoOf, msPerDay, msPerHour, msPerMinute } from "../core/clock.ts";
import { part, type Unit } from "../db/contract.ts";
import { daysUnseen } from "./release-policy.ts";
import { closedTimesOf, releasesSince } from "./release-store.ts";

let panel: Panel;
let admin: Client;
let today: number;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  today = dayOf(panel.clock.now);
});
afterAll(() => panel.close());

async function newKey(): Promise<number> {
  const order = { game: "FREE FIRE", deviceLimit: 2, expiryDate: isoOf(panel.clock.now + 30 * msPerDay), count: 1 };
  return (await admin.post("/api/admin/keys/generate", order)).body.keys[0].id;
}

async function add(keyId: number, what: string, at: number): Promise<void> {
  await panel.database.write`INSERT INTO key_events (key_id, what, created_at) VALUES (${keyId}, ${what}, ${at})`;
}

/** So many events of each kind that is asked for, one every two minutes, up to now. */
async function addMany(keyId: number, count: number): Promise<void> {
  await panel.database.write`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO key_events (key_id, what, created_at)
    SELECT ${keyId}, kinds.what, CAST(${panel.clock.now} AS BIGINT) - i * ${2 * msPerMinute}
    FROM n CROSS JOIN (SELECT 'PAUSED' AS what UNION ALL SELECT 'RESUMED' UNION ALL SELECT 'DEVICE_RELEASED'
      UNION ALL SELECT 'NOTED') AS kinds`;
}

test("verifications, releases and /k read a bounded part of a key's history, however long it is", async () => {
  const keyId = await newKey();
  await addMany(keyId, 5_000);
  await addMany(await newKey(), 5_000);
  if (testServer) await panel.database.write`ANALYZE key_events`;
  const asked = async ({ sql }: Unit) => {
    await releasesSince(sql, { id: keyId, perThirtyDays: 3 }, 0);
    await closedTimesOf(sql, keyId, 0);
  };
  const plans = await plansOf(panel, asked, { isAnalyzed: true });
  const indexes = plans.flatMap((line) => /\bkey_events_\w+/.exec(line) ?? []);
  expect(indexes.sort()).toEqual(["key_events_pauses", "key_events_pauses", "key_events_released"]);
  const bounds = plans.filter((line) => /\bkey_id ?=/.test(line) && !/license_keys|game_maintenance/.test(line));
  expect(bounds).toHaveLength(3);
  for (const bound of bounds) expect(bound).toMatch(/key_id ?= ?.* AND .*created_at ?[<>=]/);
  // They are all there are.
  const sources = [...new Bun.Glob("{verify,players}/**/*.ts").scanSync(`${import.meta.dir}/..`)];
  const texts = await Promise.all(
    sources
      .filter((path) => !path.endsWith(".test.ts"))
      .map((path) => Bun.file(`${import.meta.dir}/../${path}`).text()),
  );
  expect(texts.join("").match(/FROM key_events\b/g)).toHaveLength(3);
});

test("of 5,000 releases, those that a policy counts are read", async () => {
  const keyId = await newKey();
  await addMany(keyId, 5_000);
  const { now } = panel.clock;
  const newest = [1, 2, 3].map((place) => now - place * 2 * msPerMinute);
  expect(await releasesSince(panel.database.read, { id: keyId, perThirtyDays: 3 }, now - msPerDay)).toEqual(newest);
  const recent = await releasesSince(panel.database.read, { id: keyId, perThirtyDays: 100 }, now - msPerHour);
  expect(recent).toHaveLength(29);
});

test.each<[string, [what: string, daysAgo: number][], number]>([
  ["that was never paused", [], 9],
  [
    "that was paused for a moment on one day",
    [
      ["PAUSED", 3.02],
      ["RESUMED", 3.01],
    ],
    8,
  ],
  [
    "that was paused a hundred times on each of two days",
    [
      ...Array.from({ length: 200 }, (_, i): [string, number] => [i % 2 ? "RESUMED" : "PAUSED", 4.3 - i / 1_000]),
      ...Array.from({ length: 200 }, (_, i): [string, number] => [i % 2 ? "RESUMED" : "PAUSED", 2.3 - i / 1_000]),
    ],
    7,
  ],
  [
    "that was paused before the device was seen, and after",
    [
      ["PAUSED", 20],
      ["RESUMED", 6],
    ],
    6,
  ],
  [
    "whose pause an admin took over in between",
    [
      ["PAUSED", 20],
      ["PAUSED", 5],
      ["RESUMED", 3],
    ],
    3,
  ],
  [
    "that is still paused",
    [
      ["PAUSED", 20],
      ["RESUMED", 19],
      ["PAUSED", 2],
    ],
    6,
  ],
  ["that has been paused for long", [["PAUSED", 20]], 0],
  [
    "whose pauses ended before the device was seen",
    [
      ["PAUSED", 20],
      ["RESUMED", 12],
    ],
    9,
  ],
])(
  "a device last seen nine days ago, of a key %s, was unseen for as many days as it could be seen",
  async (_, events, days) => {
    const keyId = await newKey();
    for (const [what, daysAgo] of events) await add(keyId, what, panel.clock.now - daysAgo * msPerDay);
    const lastSeenDay = today - 9;
    const closed = await closedTimesOf(panel.database.read, keyId, (lastSeenDay + 1) * msPerDay);
    expect(daysUnseen(lastSeenDay, closed, panel.clock.now)).toBe(days);
    expect(closed.length).toBeLessThan(11);
  },
);

test("what never had a device is told by the first matching event", async () => {
  const refund = await Bun.file(`${import.meta.dir}/../keys/life/refund-store.ts`).text();
  const kinds = /e\.what IN \(([^)]+)\)/.exec(refund)?.[1];
  const keyId = await newKey();
  const condition = part`e.key_id = ${keyId} AND ${{ strings: [`e.what IN (${kinds})`], values: [] }}`;
  const plan = await plansOf(panel, ({ sql }) => sql`SELECT 1 FROM key_events e WHERE ${condition} LIMIT 1`);
  expect(plan.join("; ")).toContain("key_events_connected");
});
