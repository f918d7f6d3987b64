import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { refusedStart, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = () => startLatchkey({ dataFolder: folder });

function inDatabase<Row>(sql: string): Row[] {
  const connection = new Connection(join(folder, "latchkey.db"), { readonly: true });
  try {
    return connection.query(sql).all() as Row[];
  } finally {
    connection.close();
  }
}

/** What the tables contain, and what the audit log recorded. */
const counted = `SELECT
  (SELECT count(*) FROM referral_tokens) AS tokens,
  (SELECT count(*) FROM audit WHERE action = 'token_created') AS tokensInLog,
  (SELECT coalesce(sum(amount_tenths), 0) FROM credit_ledger WHERE reason = 'admin_grant') / 10 AS granted,
  (SELECT coalesce(sum(json_extract(details, '$.amount')), 0) FROM audit WHERE action = 'credit_granted') AS grantedInLog,
  (SELECT count(*) FROM license_keys) AS keys,
  (SELECT coalesce(sum(json_extract(details, '$.count')), 0) FROM audit WHERE action = 'keys_generated') AS keysInLog`;

test("a killed server leaves each change with its audit row, or neither", async () => {
  const roundsOfKilling = 5;
  const responsesBeforeKill = 40;
  let acknowledged = 0;
  for (let round = 0; round < roundsOfKilling; round += 1) {
    const latchkey = await start();
    const newClient = () => createClient(latchkey.url);
    const admin = await signInAdmin(newClient);
    const owl = await registerReseller(newClient, admin, { username: `owl.${round}`, credits: 1_000 });
    const changes = [
      () => admin.post("/api/admin/tokens/generate", { credits: 1 }),
      () => admin.post("/api/admin/resellers/credits", { resellerId: owl.id, amount: 3 }),
      () => owl.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 2 }),
    ];
    const enough = Promise.withResolvers<void>();
    let responses = 0;
    const repeat = async (change: () => ReturnType<Client["post"]>) => {
      for (;;) {
        const response = await change();
        if (response.status === 201 || response.status === 200) acknowledged += 1;
        responses += 1;
        if (responses === responsesBeforeKill) enough.resolve();
      }
    };
    // Each ends when the server is gone.
    const ending = Promise.allSettled([...changes, ...changes].map(repeat));
    await enough.promise;
    await latchkey.kill();
    await ending;
  }
  const [counts] = inDatabase<Record<string, number>>(counted);
  expect(counts?.tokensInLog).toBe(counts?.tokens as number);
  expect(counts?.grantedInLog).toBe(counts?.granted as number);
  expect(counts?.keysInLog).toBe(counts?.keys as number);
  const [{ rows } = { rows: 0 }] = inDatabase<{ rows: number }>(
    "SELECT count(*) AS rows FROM audit WHERE action IN ('token_created', 'credit_granted', 'keys_generated')",
  );
  expect(rows).toBeGreaterThanOrEqual(acknowledged);
});

test("a server that stops writes the last minute's failed sign-ins to the audit log", async () => {
  const latchkey = await start();
  for (const password of ["wrong-one", "wrong-two", "wrong-three"]) {
    await createClient(latchkey.url).post("/api/auth/admin/login", { username: "Admin", password });
  }
  expect(await latchkey.stop()).toBe(0);
  const rows = inDatabase<{ target: string; address: string; details: string }>(
    "SELECT target, address, details FROM audit WHERE action = 'sign_in_failed'",
  );
  expect(rows).toEqual([{ target: "admin admin", address: "127.0.0.1", details: expect.any(String) }]);
  expect(JSON.parse(rows[0]?.details ?? "")).toEqual({ by: "nobody", count: 3, wrongCodes: 0, suspended: 0 });
});

test("commands are in the audit log without an actor", async () => {
  const latchkey = await start();
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const run = (words: string[]) => runLatchkey(["admin", ...words], { environment: { DATA_DIR: folder } });
  for (const words of [
    ["create", "second"],
    ["reset-password", "SECOND"],
    ["remove", "second"],
  ]) {
    expect((await run(words)).code).toBe(0);
  }
  const { body } = await admin.get("/api/admin/audit?search=second");
  const by = "command line";
  const row = { actor: null, address: null, target: "admin second" };
  expect(body).toMatchObject([
    { ...row, action: "admin_removed", details: { by, sessions: 0 } },
    { ...row, action: "password_reset", details: { by, sessions: 0 } },
    { ...row, action: "admin_created", details: { by } },
  ]);
  await latchkey.stop();
});

test("backups and restores are in the audit log", async () => {
  await (await start()).stop();
  const environment = { DATA_DIR: folder };
  const file = join(folder, "monday.db");
  expect((await runLatchkey(["backup", file], { environment })).code).toBe(0);
  const rows = () =>
    inDatabase<{ action: string; details: string }>(
      "SELECT action, details FROM audit WHERE action LIKE 'backup_%' AND actor_id IS NULL ORDER BY id",
    ).map(({ action, details }) => ({ action, ...JSON.parse(details) }));
  const by = "command line";
  expect(rows()).toEqual([{ action: "backup_made", by, file: "monday.db" }]);
  expect((await runLatchkey(["restore", file], { environment })).code).toBe(0);
  expect(rows()).toEqual([{ action: "backup_restored", by, file: "monday.db" }]);
});

test("a server deletes audit rows older than AUDIT_DAYS, and an invalid number prevents its start", async () => {
  await (await start()).stop();
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run("INSERT INTO audit (at, action, target, details) VALUES (1, 'signed_in', 'old', '{}')");
  connection.close();
  const old = () => inDatabase("SELECT id FROM audit WHERE target = 'old'").length;
  await (await startLatchkey({ dataFolder: folder, environment: { AUDIT_DAYS: "0" } })).stop();
  expect(old()).toBe(1);
  const latchkey = await start();
  while (old() > 0) await Bun.sleep(5);
  await latchkey.stop();
  const wrong = await runLatchkey(["serve"], { environment: { DATA_DIR: folder, AUDIT_DAYS: "a year" } });
  expect(refusedStart(wrong)).toEqual({ code: 2, message: "AUDIT_DAYS must be a number of days, 0 to 99999." });
});

test("demo data includes an audit log with past times", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder, options: ["--demo"] });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const { body } = await admin.get("/api/admin/audit?limit=200");
  const actions = new Set(body.map(({ action }: { action: string }) => action));
  for (const action of ["token_created", "registered", "credit_granted", "keys_generated", "reseller_suspended"]) {
    expect(actions).toContain(action);
  }
  const times: string[] = body.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(Date.now() - Date.parse(times.at(-1) as string)).toBeGreaterThan(100 * 86_400_000);
  await latchkey.stop();
});
