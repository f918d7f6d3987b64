import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { temporaryFolder } from "../../tests/process.ts";
import { msPerSecond } from "../core/clock.ts";
import { Refusal, type RefusalCode } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { migrate, releasedMigrations } from "../db/migrate/migrations.ts";
import { openSqlite } from "../db/sqlite/sqlite.ts";
import { createAuditedChanges } from "./audited-changes.ts";
import { createFailedSignIns, type FailedSignIns, rowsPerMinuteMax } from "./failed-sign-ins.ts";

const address = "203.0.113.7";

describe("failed sign-ins", () => {
  // The clock is 50 s into a minute.
  const now = () => 1_741_185_050_000;
  let folder: string;
  let file: string;
  let database: Database;
  let failedSignIns: FailedSignIns;

  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, "latchkey.db");
    migrate(file, releasedMigrations(), now);
    database = openSqlite(file, { lockWaitMsMax: 0 });
    jest.useFakeTimers();
    failedSignIns = createFailedSignIns({ changes: createAuditedChanges({ database, now }), now });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function fail(code: RefusalCode, account: string | null, from = address): void {
    const refusal = new Refusal(code, "It cannot be.");
    refusal.account = account;
    failedSignIns.count(refusal, { role: "admin", address: from });
  }

  /** The audit rows after this many seconds, once pending writes are done. */
  async function writtenAfter(seconds: number) {
    jest.advanceTimersByTime(seconds * msPerSecond);
    await database.transaction(null, async () => {});
    return written();
  }

  async function written() {
    const rows = await database.read<{ address: string; target: string; details: string }>`
      SELECT address, target, details FROM audit WHERE action = 'sign_in_failed' ORDER BY id`;
    return rows.map(({ details, ...row }) => ({ ...row, ...JSON.parse(details) }));
  }

  const row = { by: "nobody", address, target: "admin admin", count: 1, wrongCodes: 0, suspended: 0 };

  test("are one audit row per account and address at the end of each minute", async () => {
    for (let tries = 0; tries < 3; tries += 1) fail("WRONG_CREDENTIALS", "admin");
    fail("WRONG_SECOND_FACTOR", "admin");
    fail("WRONG_CREDENTIALS", "admin", "198.51.100.1");
    expect(await writtenAfter(9)).toEqual([]);
    const rows = [
      { ...row, count: 4, wrongCodes: 1 },
      { ...row, address: "198.51.100.1" },
    ];
    expect(await writtenAfter(1)).toEqual(rows);
    expect(await writtenAfter(120)).toEqual(rows);
  });

  test("are written at once when the server stops", async () => {
    fail("SUSPENDED", "owl");
    await failedSignIns.write();
    expect(await written()).toEqual([{ ...row, target: "admin owl", suspended: 1 }]);
  });

  test("do not contain unknown usernames", async () => {
    fail("WRONG_CREDENTIALS", null);
    await failedSignIns.write();
    expect(await written()).toEqual([{ ...row, target: "admin that does not exist" }]);
  });

  test.each(["TOO_MANY_TRIES", "SECOND_FACTOR_NEEDED", "BUSY"] as const)("do not include %s", async (code) => {
    fail(code, "admin");
    await failedSignIns.write();
    expect(await written()).toEqual([]);
  });

  test("beyond the maximum number of rows per minute share one row", async () => {
    const more = 1_000;
    for (let from = 0; from < rowsPerMinuteMax + more; from += 1) fail("WRONG_CREDENTIALS", "admin", `10.0.0.${from}`);
    await failedSignIns.write();
    const rows = await written();
    expect(rows).toHaveLength(rowsPerMinuteMax + 1);
    expect(rows.at(-1)).toEqual({ ...row, address: "several addresses", target: "several accounts", count: more });
  });

  test("that could not be written are written with the next minute", async () => {
    const other = new Connection(file);
    other.run("BEGIN IMMEDIATE");
    fail("WRONG_CREDENTIALS", "admin");
    await failedSignIns.write();
    other.run("ROLLBACK");
    other.close();
    fail("WRONG_CREDENTIALS", "admin");
    expect(await writtenAfter(10)).toEqual([{ ...row, count: 2 }]);
  });
});

describe("a sign-in that fails", () => {
  let panel: Panel;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(() => panel.close());

  test("has no actor, and names the account only if it exists with that role", async () => {
    const admin = await signInAdmin(() => panel.newClient());
    await registerReseller(() => panel.newClient(), admin, { username: "owl" });
    const secret = "my-password-in-the-wrong-field";
    for (const username of ["ADMIN", "admin", "owl", secret]) {
      await panel.newClient().post("/api/auth/admin/login", { username, password: "wrong-password" });
    }
    await panel.failedSignIns.write();
    const { body, text } = await admin.get("/api/admin/audit?action=sign_in_failed");
    expect(body).toMatchObject([
      { actor: null, target: "admin that does not exist", details: { by: "nobody", count: 2 } },
      { actor: null, target: "admin admin", details: { by: "nobody", count: 2 } },
    ]);
    expect(text).not.toContain(secret);
  });

  test("records a suspended reseller with the right password as such", async () => {
    const admin = await signInAdmin(() => panel.newClient());
    const owl = await registerReseller(() => panel.newClient(), admin, { username: "owl" });
    await admin.post(`/api/admin/resellers/${owl.id}/toggle-status`, { isActive: false });
    await owl.post("/api/auth/reseller/login", { username: "owl", password: "test-reseller-password" });
    await panel.failedSignIns.write();
    const { body } = await admin.get("/api/admin/audit?action=sign_in_failed");
    expect(body).toMatchObject([{ target: "reseller owl", details: { by: "nobody", count: 1, suspended: 1 } }]);
  });
});
