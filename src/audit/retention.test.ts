import { afterEach, beforeEach, expect, test } from "bun:test";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay } from "../core/clock.ts";
import { createRetention } from "./audit.ts";

let panel: Panel;
beforeEach(async () => {
  panel = await openPanel();
});

afterEach(() => panel.close());

const now = () => panel.clock.now;
const eraseOld = (auditDays: number) => createRetention({ database: panel.database, auditDays, now }).eraseOld();

async function record(daysAgo: number, rows = 1): Promise<void> {
  await panel.database.transaction(null, async ({ sql }) => {
    for (let row = 0; row < rows; row += 1) {
      await sql`INSERT INTO audit (at, action, target, details) VALUES (${now() - daysAgo * msPerDay}, 'signed_in', 'old', '{}')`;
    }
  });
}

/** The ages of the remaining rows in days. */
async function left(): Promise<number[]> {
  const rows = await panel.database.read<{ at: number }>`SELECT at FROM audit WHERE target = 'old' ORDER BY at`;
  return rows.map(({ at }) => (now() - at) / msPerDay);
}

test("only rows older than AUDIT_DAYS are deleted", async () => {
  for (const daysAgo of [366, 365.001, 365, 364, 0]) await record(daysAgo);
  await eraseOld(365);
  expect(await left()).toEqual([365, 364, 0]);
});

test("AUDIT_DAYS=0 keeps all rows", async () => {
  await record(9_000);
  await eraseOld(0);
  expect(await left()).toEqual([9_000]);
});

test("many rows are deleted in batches, with other writes in between", async () => {
  await record(400, 2_300);
  const erasing = eraseOld(365);
  await record(1);
  await erasing;
  expect(await left()).toEqual([1]);
});

test("increasing AUDIT_DAYS keeps all remaining rows", async () => {
  await record(200);
  await eraseOld(365);
  panel.clock.now += 300 * msPerDay;
  await eraseOld(1_000);
  expect(await left()).toEqual([500]);
});

test("rows within AUDIT_DAYS cannot be deleted", async () => {
  await record(400);
  await record(10);
  await eraseOld(365);
  const { transaction } = panel.database;
  await expect(transaction(null, ({ sql }) => sql`DELETE FROM audit WHERE target = 'old'`)).rejects.toThrow(
    "append-only",
  );
  await expect(transaction(null, ({ sql }) => sql`UPDATE audit_horizon SET kept_since_at = 0`)).rejects.toThrow(
    "forward only",
  );
  expect(await left()).toEqual([10]);
});

test("a server deletes old rows at its start", async () => {
  await record(400, 1_200);
  const stop = panel.server.retention.begin();
  while ((await left()).length > 0) await Bun.sleep(1);
  stop();
});
