import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openTestDatabase, testsBeginAt } from "../../tests/database.ts";
import { temporaryFolder } from "../../tests/process.ts";
import { newestInstant } from "../clock/instants-store.ts";
import { msPerDay, msPerHour, msPerMinute } from "../core/clock.ts";
import type { Database } from "./contract.ts";
import { aheadMsMax, createServerClock } from "./server-clock.ts";

let folder: string;
let database: Database;
let wall: number;
let monotonic: number;
let backupAt: number;
beforeEach(async () => {
  folder = temporaryFolder();
  database = await openTestDatabase(join(folder, "latchkey.db"));
  wall = testsBeginAt;
  monotonic = 0;
  backupAt = 0;
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = () =>
  createServerClock({
    database,
    wallClock: () => wall,
    monotonicMs: () => monotonic,
    newest: { ofRows: newestInstant, ofBackups: async (beforeMs) => (backupAt < beforeMs ? backupAt : 0) },
  });

const writeRow = (at: number) => database.write`
  INSERT INTO audit (at, action, target, details) VALUES (${at}, 'signed_in', 'admin Root', '{}')`;

/** What `latchkey clock confirm` writes. */
async function confirm(): Promise<void> {
  await database.write`DELETE FROM clock_doubt`;
  await writeRow(wall);
}

test("a clock that is 31 days ahead of the newest row is right, and one that is further ahead is not", async () => {
  await writeRow(wall);
  wall += aheadMsMax;
  expect((await start()).isAhead()).toBe(false);
  wall += 1;
  const clock = await start();
  expect(clock.isAhead()).toBe(true);
  expect(clock.now()).toBe(wall);
  expect(clock.retentionNow()).toBe(0);
});

test("while time stands still at a row of the future, nothing is older than the system's clock says", async () => {
  await writeRow(wall + 40 * msPerDay);
  const clock = await start();
  expect([clock.now(), clock.retentionNow()]).toEqual([wall + 40 * msPerDay, wall]);
});

test("a clock is compared with the newest backup, too", async () => {
  await writeRow(wall);
  wall += 40 * msPerDay;
  backupAt = wall - msPerDay;
  expect((await start()).isAhead()).toBe(false);
});

test("with an empty database the clock is compared with nothing", async () => {
  wall += 400 * msPerDay;
  expect((await start()).isAhead()).toBe(false);
});

test("the next starts remember that the clock was ahead, whatever was written and backed up meanwhile", async () => {
  await writeRow(wall);
  wall += 400 * msPerDay;
  expect((await start()).isAhead()).toBe(true);
  await writeRow(wall);
  backupAt = wall;
  const again = await start();
  expect(again.isAhead()).toBe(true);
  // A clock that is put back by half is still ahead of what was written before.
  wall -= 200 * msPerDay;
  expect((await start()).isAhead()).toBe(true);
  await writeRow(wall);
  expect((await start()).isAhead()).toBe(true);
  wall = testsBeginAt + msPerHour;
  const right = await start();
  expect(right.isAhead()).toBe(false);
  expect([right.now(), right.retentionNow()]).toEqual([wall, wall]);
});

test("a running server returns to the right time when the clock is put back", async () => {
  await writeRow(wall);
  wall += 400 * msPerDay;
  const clock = await start();
  await writeRow(clock.now());
  wall = testsBeginAt + msPerHour;
  await clock.check();
  expect(clock.isAhead()).toBe(false);
  expect(clock.now()).toBe(wall);
});

test("a step of more than 31 days takes effect at the next reading of the clock", async () => {
  await writeRow(wall);
  const clock = await start();
  for (const advance of [msPerMinute, 40 * msPerDay]) {
    wall += advance;
    monotonic += advance;
    expect(clock.now()).toBe(wall);
    expect(clock.isAhead()).toBe(false);
  }
  await writeRow(wall);
  wall += aheadMsMax + 1;
  expect(clock.now()).toBe(wall);
  expect(clock.isAhead()).toBe(true);
  // This row is written before the step was compared with the database.
  await writeRow(wall);
  await clock.check();
  expect(clock.isAhead()).toBe(true);
  expect(clock.retentionNow()).toBe(0);
  expect((await start()).isAhead()).toBe(true);
});

test("two steps that are more than 31 days together count like one", async () => {
  await writeRow(wall);
  const clock = await start();
  wall += 20 * msPerDay;
  clock.now();
  expect(clock.isAhead()).toBe(false);
  wall += 20 * msPerDay;
  clock.now();
  expect(clock.isAhead()).toBe(true);
  await clock.check();
  expect(clock.isAhead()).toBe(true);
});

test("once the clock is confirmed, a running server and the next start trust it", async () => {
  await writeRow(wall);
  wall += 36 * msPerDay;
  const clock = await start();
  await clock.check();
  expect(clock.isAhead()).toBe(true);
  await confirm();
  await clock.check();
  expect(clock.isAhead()).toBe(false);
  expect((await start()).isAhead()).toBe(false);
  wall += 32 * msPerDay;
  clock.now();
  expect(clock.isAhead()).toBe(true);
});

test("a backup dated in the future does not count, neither now nor when the clock is ahead again", async () => {
  await writeRow(wall);
  wall += 400 * msPerDay;
  await start();
  backupAt = wall;
  wall = testsBeginAt + msPerHour;
  const right = await start();
  expect(right.now()).toBe(wall);
  wall = backupAt + msPerDay;
  expect((await start()).isAhead()).toBe(true);
});

test("a clock that starts behind and is then put right is not ahead", async () => {
  await writeRow(wall);
  wall = 0;
  const clock = await start();
  expect(clock.now()).toBe(testsBeginAt);
  wall = testsBeginAt + msPerHour;
  expect(clock.now()).toBe(wall);
  expect(clock.isAhead()).toBe(false);
});
