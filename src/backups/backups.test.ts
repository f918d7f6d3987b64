/* Only for SQLite: the server makes no backups of PostgreSQL. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { testsBeginAt } from "../../tests/database.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { openS3Server, type S3 } from "../../tests/s3.ts";
import { createAuditedChanges } from "../accounts/audited-changes.ts";
import type { BackupSettings } from "../config/backup-settings.ts";
import { msPerDay, msPerHour, msPerMinute } from "../core/clock.ts";

let s3: S3;
let panel: Panel;
let admin: Client;
beforeEach(() => {
  s3 = openS3Server();
});
afterEach(async () => {
  await panel.close();
  s3.close();
});

async function open(backups: Partial<BackupSettings>) {
  panel = await openPanel({ backups, realPasswordCost: true });
  admin = await signInAdmin(panel.newClient);
}

const state = async () => (await admin.get("/api/admin/backup/backups")).body;
const folder = () => join(dirname(panel.file), "backups");
const daily = "0 3 * * *";

describe("the schedule", () => {
  test("makes the first backup at once, then one at each due time, even a missed one", async () => {
    await open({ schedule: daily, s3: s3.settings });
    const { backups } = panel.server;
    expect(await state()).toMatchObject({
      schedule: daily,
      lastGoodAt: null,
      nextAt: "2025-03-06T03:00:00.000Z",
      backups: [],
    });
    await backups.makeIfDue();
    const first = {
      name: "latchkey-2025-03-05T14-30-00.000Z.db.zst",
      at: "2025-03-05T14:30:00.000Z",
      places: ["folder", "s3"],
    };
    expect(await state()).toMatchObject({
      lastGoodAt: first.at,
      isLate: false,
      failure: null,
      underWay: null,
      backups: [first],
    });
    panel.clock.now += 12 * msPerHour;
    await backups.makeIfDue();
    expect((await state()).backups).toHaveLength(1);
    panel.clock.now += 40 * msPerHour;
    expect(backups.lastBackup()).toEqual({ at: Date.parse(first.at), isLate: true });
    await backups.makeIfDue();
    expect((await state()).backups).toHaveLength(2);
    expect(backups.lastBackup()).toEqual({ at: panel.clock.now, isLate: false });
  });

  test("makes every due backup, even if the previous one was recent", async () => {
    await open({ schedule: "*/5 * * * *" });
    for (const count of [1, 2, 3]) {
      await panel.server.backups.makeIfDue();
      expect((await state()).backups).toHaveLength(count);
      panel.clock.now += 5 * msPerMinute;
    }
  });

  test("takes existing backups into account at the start, those in S3 if it is configured", async () => {
    s3.objects.set("latchkey/latchkey-2025-03-05T14-00-00.000Z.db.zst", new Uint8Array(1));
    await open({ schedule: daily, s3: s3.settings });
    mkdirSync(folder());
    writeFileSync(join(folder(), "latchkey-2025-03-05T14-10-00.000Z.db.zst"), "");
    await panel.server.backups.makeIfDue();
    expect(panel.server.backups.lastBackup()).toEqual({ at: Date.parse("2025-03-05T14:00:00Z"), isLate: false });
    expect(readdirSync(folder())).toHaveLength(1);
  });

  test("counts no copy in S3 whose size is not that of the local one", async () => {
    const names = ["13-00", "14-00"].map((time) => `latchkey-2025-03-05T${time}-00.000Z.db.zst`);
    for (const name of names) s3.objects.set(`latchkey/${name}`, new Uint8Array(1));
    await open({ schedule: daily, s3: s3.settings });
    mkdirSync(folder());
    writeFileSync(join(folder(), names[0] ?? ""), "1");
    writeFileSync(join(folder(), names[1] ?? ""), "longer");
    await panel.server.backups.makeIfDue();
    expect(panel.server.backups.lastBackup().at).toBe(Date.parse("2025-03-05T13:00:00Z"));
    expect((await state()).backups).toMatchObject([{ places: ["folder"] }, { places: ["folder", "s3"] }]);
  });

  test("removes no backup while the clock is ahead, and makes the next one as soon as it is right again", async () => {
    await open({ schedule: daily, keep: { count: 2, ms: 10 * msPerDay } });
    mkdirSync(folder());
    const old = ["02-10", "02-11", "03-04", "03-05"].map((day) => `latchkey-2025-${day}T03-00-00.000Z.db.zst`);
    for (const name of old) writeFileSync(join(folder(), name), "");
    panel.clock.isAhead = true;
    panel.clock.now += 400 * msPerDay;
    const { backups } = panel.server;
    await backups.makeIfDue();
    expect(readdirSync(folder()).sort()).toEqual([...old, "latchkey-2026-04-09T14-30-00.000Z.db.zst"]);

    panel.clock.isAhead = false;
    panel.clock.now = testsBeginAt + msPerDay;
    await backups.makeIfDue();
    expect(backups.lastBackup()).toEqual({ at: panel.clock.now, isLate: false });
    expect(readdirSync(folder()).sort()).toEqual([
      ...["2025-03-05T03-00-00.000Z", "2025-03-06T14-30-00.000Z", "2026-04-09T14-30-00.000Z"].map(
        (at) => `latchkey-${at}.db.zst`,
      ),
    ]);
  });

  test("retries a failed backup after ten minutes, and is late an hour after the due time", async () => {
    await open({ schedule: daily, s3: { ...s3.settings, secretAccessKey: "guessed" } });
    const webhook = { kind: "standard", url: "https://example.com", events: ["backup.failed", "backup.late"] };
    await admin.post("/api/admin/webhooks", webhook);
    const { backups } = panel.server;
    await backups.makeIfDue();
    const message = "The last backup is complete on this machine, but could not be copied to S3.";
    const failed = {
      lastGoodAt: null,
      isLate: false,
      isS3Unreachable: true,
      failure: { at: "2025-03-05T14:30:00.000Z", message },
    };
    expect(await state()).toMatchObject({ ...failed, backups: [{ places: ["folder"] }] });
    panel.clock.now += 9 * msPerMinute;
    await backups.makeIfDue();
    expect(readdirSync(folder())).toHaveLength(1);
    panel.clock.now += msPerMinute;
    await backups.makeIfDue();
    expect(readdirSync(folder())).toHaveLength(2);
    panel.clock.now = Date.parse("2025-03-06T04:00:00.001Z");
    expect(await state()).toMatchObject({ isLate: true });
    await backups.makeIfDue();
    await backups.makeIfDue();
    const told = () =>
      panel.database.read<{ type: string; data: string }>`SELECT type, data FROM webhook_deliveries ORDER BY id`;
    while ((await told()).length < 4) await Bun.sleep(1);
    expect((await told()).map(({ type }) => type)).toEqual([...Array(3).fill("backup.failed"), "backup.late"]);
    const data = (await told()).map((each) => JSON.parse(each.data));
    expect(data).toEqual([...Array(3).fill({ reason: message, panel: "Latchkey" }), {}]);
  });

  test("makes no backups when off, and is never late", async () => {
    await open({ schedule: null });
    await panel.server.backups.makeIfDue();
    panel.clock.now += 100 * msPerHour;
    expect(await state()).toMatchObject({ schedule: null, nextAt: null, lastGoodAt: null, isLate: false, backups: [] });
  });
});

test("Overview and Database Backup name the same last backup, also one of the command line that all places have", async () => {
  await open({ schedule: daily, s3: s3.settings });
  const both = async () => [(await state()).lastGoodAt, (await admin.get("/api/admin/condition")).body.lastBackupAt];
  const changes = createAuditedChanges({ database: panel.database, now: () => panel.clock.now });
  const recordBackup = (details: { file: string; notInS3?: true }) =>
    changes.carryOut("command line", async () => ({
      result: undefined,
      record: { action: "backup_made", target: "database", details },
    }));
  await recordBackup({ file: "latchkey-2025-03-05T14-30-00.000Z.db.zst", notInS3: true });
  expect(await both()).toEqual([null, null]);
  panel.clock.now += msPerHour;
  await recordBackup({ file: "latchkey.db" });
  expect(await both()).toEqual(["2025-03-05T15:30:00.000Z", "2025-03-05T15:30:00.000Z"]);
  panel.clock.now += msPerHour;
  await panel.server.backups.makeIfDue();
  expect(await both()).toEqual(["2025-03-05T16:30:00.000Z", "2025-03-05T16:30:00.000Z"]);
});

describe("a backup started by an admin", () => {
  test("begins at once, runs one at a time, and is in the audit log under the admin's name", async () => {
    await open({});
    expect(await admin.post("/api/admin/backup/backups")).toMatchObject({
      status: 200,
      body: { message: "Backup started." },
    });
    expect((await state()).underWay).toMatchObject({ step: expect.any(String) });
    expect(await admin.post("/api/admin/backup/backups")).toMatchObject({
      status: 409,
      body: { code: "BACKUP_UNDER_WAY" },
    });
    while ((await state()).underWay) await Bun.sleep(5);
    const { backups } = await state();
    expect(backups).toHaveLength(1);
    const { body: record } = await admin.get("/api/admin/audit?action=backup_made");
    expect(record).toMatchObject([
      { actor: { username: "admin" }, target: "database", details: { file: backups[0].name } },
    ]);
  });

  test("of a missing database fails with a message without a path, and removes no older backup", async () => {
    await open({});
    mkdirSync(folder());
    const older = "latchkey-2020-01-01T00-00-00.000Z.db.zst";
    writeFileSync(join(folder(), older), "");
    rmSync(panel.file);
    await admin.post("/api/admin/backup/backups");
    while ((await state()).underWay) await Bun.sleep(5);
    const { failure, backups } = await state();
    expect([failure.message, backups.map(({ name }: { name: string }) => name)]).toEqual([
      "The last backup failed.",
      [older],
    ]);
  });
});

test("with an unreadable backup folder fails without an internal error", async () => {
  await open({});
  writeFileSync(folder(), "a file in its place");
  expect(await admin.get("/api/admin/backup/backups")).toMatchObject({
    status: 503,
    body: { code: "STORAGE_UNAVAILABLE" },
  });
});
