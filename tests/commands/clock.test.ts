import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withDatabase } from "../backup-stage.ts";
import { createClient, signInAdmin } from "../client.ts";
import { runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

const dayMs = 86_400_000;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => runLatchkey(words, { environment: { DATA_DIR: folder }, cwd: folder });
const file = () => join(folder, "latchkey.db");
const auditRows = () => withDatabase(file(), (connection) => connection.query("SELECT id FROM audit").values().length);
const latestAudit = () =>
  withDatabase(file(), (connection) => connection.query("SELECT action FROM audit ORDER BY id DESC LIMIT 1").get());

/** Makes all that was written this number of days older. */
function age(days: number): void {
  withDatabase(file(), (connection) => {
    const triggers = connection
      .query<{ name: string; sql: string }, []>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'",
      )
      .all();
    for (const { name } of triggers) connection.run(`DROP TRIGGER ${name}`);
    const ms = days * dayMs;
    connection.run(`
      UPDATE audit SET at = at - ${ms};
      UPDATE accounts SET created_at = created_at - ${ms};
      UPDATE known_addresses SET last_used_at = last_used_at - ${ms};
      UPDATE sessions SET created_at = created_at - ${ms}, last_seen_at = last_seen_at - ${ms}`);
    for (const { sql } of triggers) connection.run(sql);
  });
}

const order = () => ({
  ...{ game: "FREE FIRE", deviceLimit: 1, count: 1 },
  expiryDate: new Date(Date.now() + dayMs).toISOString(),
});

test("with a clock that is ahead, a start erases and sells nothing until the clock is confirmed", async () => {
  await (await startLatchkey({ dataFolder: folder })).stop();
  age(400);
  const rows = auditRows();
  mkdirSync(join(folder, "backups"));
  const backups = [401, 402, 403, 404].map((days) => {
    const at = new Date(Date.now() - days * dayMs).toISOString().replaceAll(":", "-");
    return `latchkey-${at}.db.zst`;
  });
  for (const name of backups) writeFileSync(join(folder, "backups", name), "");
  const environment = { BACKUP_SCHEDULE: "0 3 * * *", BACKUP_KEEP: "30,90d" };
  const server = await startLatchkey({ dataFolder: folder, environment });
  expect(server.output()).toContain("latchkey clock confirm");
  const admin = await signInAdmin(() => createClient(server.url));
  const refused = await admin.post("/api/admin/keys/generate", order());
  expect([refused.status, refused.body.code]).toEqual([503, "CLOCK_AHEAD"]);
  expect((await admin.get("/api/admin/condition")).body).toMatchObject({ isWell: false, isClockAhead: true });
  expect((await admin.get("/readyz")).body).toMatchObject({
    status: "ok",
    notes: expect.arrayContaining(["The clock is ahead of the records."]),
  });
  const backUp = () => readdirSync(join(folder, "backups")).length;
  while (backUp() === backups.length) await Bun.sleep(20);
  // The first backup was made, and none was removed. Retention would have begun half a second after the start.
  expect(readdirSync(join(folder, "backups"))).toEqual(expect.arrayContaining(backups));
  expect(auditRows()).toBeGreaterThan(rows);
  expect((await run("clock", "repair")).stderr).toContain("Another Latchkey is running");

  expect((await run("clock", "confirm")).stdout).toStartWith("Confirmed the clock: it is ");
  expect(latestAudit()).toEqual({ action: "clock_confirmed" });
  let made = refused;
  while (made.status === 503) {
    await Bun.sleep(100);
    made = await admin.post("/api/admin/keys/generate", order());
  }
  expect(made.status).toBe(201);
  expect((await admin.get("/api/admin/condition")).body).toMatchObject({ isClockAhead: false });
  await server.stop();
  expect((await run("clock", "confirm")).stdout).toBe(
    "The clock is not ahead of the database: there is nothing to confirm.\n",
  );
});

test("clock repair moves times in the future back to now, after a dry run that changes nothing", async () => {
  const server = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(server.url));
  const { body } = await admin.post("/api/admin/keys/generate", order());
  await server.stop();
  age(-400);
  withDatabase(file(), (connection) =>
    connection.run(
      "UPDATE license_keys SET created_at = created_at + 1e9, started_at = started_at + 1e9, expires_at = expires_at + 1e9",
    ),
  );
  const rows = auditRows();
  const dry = await run("clock", "repair", "--dry-run");
  expect(dry.stdout).toMatch(/^Times later than [^\n]+:\n {2}license_keys +1\n/);
  expect(dry.stdout).toContain("Nothing was changed.");
  expect(auditRows()).toBe(rows);
  expect((await run("clock", "repair")).stdout).toStartWith("Moved back to ");
  expect(latestAudit()).toEqual({ action: "clock_repaired" });
  expect((await run("check")).code).toBe(0);
  expect((await run("clock", "repair")).stdout).toStartWith("No time in the database is later than ");

  const again = await startLatchkey({ dataFolder: folder });
  const { keyString, game } = body.keys[0];
  const verdict = await createClient(again.url).post("/api/verify", { key: keyString, game, deviceId: "phone" });
  expect(verdict.body.valid).toBe(true);
  expect(again.output()).not.toContain("clock_behind");
  await again.stop();
});

test("a clock behind the newest row is a problem on Overview and a note in /readyz", async () => {
  await (await startLatchkey({ dataFolder: folder })).stop();
  age(-1);
  const server = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(server.url));
  expect((await admin.get("/api/admin/condition")).body).toMatchObject({
    ...{ isWell: false, isClockAhead: false },
    problems: expect.arrayContaining(["CLOCK"]),
  });
  expect((await admin.get("/readyz")).body).toMatchObject({
    status: "ok",
    notes: [expect.stringMatching(/^CLOCK_BEHIND: /)],
  });
  await server.stop();
});

test("a restored backup of a database that is long out of date confirms the clock", async () => {
  await (await startLatchkey({ dataFolder: folder })).stop();
  age(400);
  const backup = join(folder, "old.db");
  await run("backup", backup);
  expect((await run("restore", backup)).code).toBe(0);
  const server = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(server.url));
  expect((await admin.post("/api/admin/keys/generate", order())).status).toBe(201);
  await server.stop();
});
