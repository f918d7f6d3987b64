import { afterEach, beforeEach, expect, test } from "bun:test";
import { resetSync } from "@logtape/logtape";
import { registerReseller, signInAdmin } from "../../tests/client.ts";
import { testServer } from "../../tests/database.ts";
import { keepLog } from "../../tests/log-records.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";
import { createFailures } from "../http/logging/security-log.ts";
import { createCondition, createDiskWatch } from "./condition.ts";

let panel: Panel;
beforeEach(async () => {
  panel = await openPanel();
});
afterEach(() => panel.close());

const now = () => panel.clock.now;

test("all is well with a backup of this week, with disk space, and without failures in the last 24 hours", async () => {
  const failures = createFailures({ now });
  let free: number | null = 2 ** 30;
  let isAhead = false;
  let isClockBehind = false;
  let unopened = 0;
  let webhooksOff = 0;
  let own: { at: number | null; isLate: boolean } = { at: null, isLate: false };
  const lastBackup = async () => own;
  const condition = createCondition({
    isBackedUpElsewhere: false,
    hasSchedule: false,
    firstSteps: async () => ({ hasKey: false, hasInvited: false, hasVerified: false }),
    lastBackup,
    failures,
    freeBytes: async () => free,
    clock: { now, isAhead: () => isAhead },
    isClockBehind: () => isClockBehind,
    unopenedKeys: async () => 0,
    unopenedTwoFactor: async () => unopened,
    webhooksOff: async () => webhooksOff,
  });
  expect(await condition()).toMatchObject({
    ...{ isWell: false, problems: ["NO_BACKUP"], lastBackupAt: null, freeBytes: free, failures: 0 },
    firstSteps: { hasBackups: false },
  });
  own = { at: now(), isLate: false };
  const lastBackupAt = isoOf(now());
  expect(await condition()).toMatchObject({
    ...{ isWell: true, problems: [], lastBackupAt, freeBytes: free, failures: 0 },
    firstSteps: { hasBackups: true },
  });

  failures.count();
  panel.clock.now += 2 * msPerHour;
  failures.count();
  failures.count();
  expect(await condition()).toMatchObject({ isWell: false, problems: ["FAILURES"], failures: 3 });
  panel.clock.now += msPerDay - msPerHour;
  expect(await condition()).toMatchObject({ isWell: false, failures: 2 });
  panel.clock.now += msPerDay;
  expect(await condition()).toMatchObject({ isWell: true, failures: 0 });

  free = 2 ** 20;
  expect(await condition()).toMatchObject({ isWell: false, problems: ["DISK"] });
  free = null;
  expect(await condition()).toMatchObject({ isWell: true });
  panel.clock.now += 6 * msPerDay;
  expect(await condition()).toMatchObject({ isWell: false, problems: ["OLD_BACKUP"] });

  own = { at: now(), isLate: false };
  expect(await condition()).toMatchObject({ isWell: true, lastBackupAt: isoOf(now()) });
  isAhead = true;
  expect(await condition()).toMatchObject({ isWell: false, problems: ["CLOCK"], isClockAhead: true });
  isAhead = false;
  isClockBehind = true;
  expect(await condition()).toMatchObject({ isWell: false, problems: ["CLOCK"], isClockAhead: false });
  isClockBehind = false;
  unopened = 2;
  expect(await condition()).toMatchObject({ isWell: false, problems: ["SECRET"], unopenedTwoFactor: 2 });
  unopened = 0;
  webhooksOff = 1;
  expect(await condition()).toMatchObject({ isWell: false, problems: ["WEBHOOKS"], webhooksOff: 1 });
  webhooksOff = 0;
  for (const at of [now(), null]) {
    own = { at, isLate: true };
    expect(await condition()).toMatchObject({ isWell: false, problems: ["OLD_BACKUP"] });
  }
});

test("a disk that fills up is logged once each time it begins", async () => {
  let free: number | null = 2 ** 30;
  const { check } = createDiskWatch(async () => free);
  const logged = keepLog();
  const counts: number[] = [];
  for (free of [2 ** 30, 2 ** 20, 2 ** 19, null, 2 ** 18]) {
    await check();
    counts.push(logged.filter(({ properties }) => properties.event === "disk_low").length);
  }
  resetSync();
  expect(counts).toEqual([0, 1, 1, 1, 2]);
});

// PostgreSQL has its data elsewhere.
if (!testServer) {
  test("the disk space is that of the data folder", async () => {
    const admin = await signInAdmin(panel.newClient);
    expect((await admin.get("/api/admin/condition")).body.freeBytes).toBeGreaterThan(0);
  });
}

test("the first steps are done once there is a key, an invitation, a verification", async () => {
  const admin = await signInAdmin(panel.newClient);
  const steps = async () => (await admin.get("/api/admin/condition")).body.firstSteps;
  const none = { hasKey: false, hasInvited: false, hasVerified: false, hasBackups: panel.database.file === null };
  expect(await steps()).toEqual(none);
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate: isoOf(now() + msPerDay), count: 1 };
  const { keys } = (await admin.post("/api/admin/keys/generate", order)).body;
  expect(await steps()).toEqual({ ...none, hasKey: true });
  await registerReseller(panel.newClient, admin, { username: "seller", credits: 0.5 });
  expect(await steps()).toEqual({ ...none, hasKey: true, hasInvited: true });
  await panel.newClient().post("/api/verify", { key: keys[0].keyString, deviceId: "phone", game: "FREE FIRE" });
  await panel.server.statistics.write();
  expect(await steps()).toEqual({ ...none, hasKey: true, hasInvited: true, hasVerified: true });
});
