import { Database as Connection } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { msPerDay } from "../../src/core/clock.ts";
import { contentRules } from "../../src/db/copies/content-rules.ts";
import { createClient, signInAdmin } from "../client.ts";
import { startLatchkey, temporaryFolder } from "../process.ts";

const keys = 1_000;
const expiry = 9_000_000_000_000;
const dataFolder = temporaryFolder();
const file = join(dataFolder, "latchkey.db");
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test("a compensation and its undoing that are killed halfway continue by themselves, and each key changes exactly once", async () => {
  const first = await startLatchkey({ dataFolder });
  await first.stop();
  fill();

  const compensating = await startLatchkey({ dataFolder });
  const compensation = { kind: "compensate", scope: { all: true }, hours: 24, reason: "Outage", dryRun: false };
  const started = await (await admin(compensating.url)).post("/api/admin/interventions", compensation);
  expect([started.status, started.body.count]).toEqual([202, keys]);
  const connection = new Connection(file, { readonly: true });
  const count = (where: string) =>
    connection.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${where}`).get()?.n ?? 0;
  const given = () => count(`license_keys WHERE expires_at = ${expiry + msPerDay}`);
  const untouched = () => count(`license_keys WHERE expires_at = ${expiry}`);
  const events = (amount: number) => count(`key_events WHERE what = 'COMPENSATED' AND amount = ${amount}`);
  const row = () =>
    connection.query<{ state: string; done: number }, []>("SELECT state, done_count AS done FROM interventions").get();
  const wrong = () => contentRules.filter(({ broken }) => connection.query(broken).get() !== null);
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  await until(() => given() > 0);
  await compensating.kill();
  const done = given();
  expect(done).toBeLessThan(keys);
  expect([untouched(), events(24), row()]).toEqual([keys - done, done, { state: "running", done }]);
  expect(wrong()).toEqual([]);

  const undoing = await startLatchkey({ dataFolder });
  await until(() => row()?.state === "finished");
  expect([given(), events(24), row()?.done]).toEqual([keys, keys, keys]);
  const undone = await (await admin(undoing.url)).post(`/api/admin/interventions/${started.body.id}/undo`);
  expect(undone.status).toBe(202);
  await until(() => untouched() > 0);
  await undoing.kill();
  const left = given();
  expect(left).toBeGreaterThan(0);
  expect([untouched(), events(-24), row()]).toEqual([keys - left, keys - left, { state: "undoing", done: left }]);
  expect(wrong()).toEqual([]);

  const last = await startLatchkey({ dataFolder });
  await until(() => row()?.state === "undone");
  expect([untouched(), events(24), events(-24), row()?.done]).toEqual([keys, keys, keys, 0]);
  expect(wrong()).toEqual([]);
  connection.close();
  expect(await last.stop()).toBe(0);
});

function admin(url: string) {
  return signInAdmin(() => createClient(url));
}

function fill(): void {
  const connection = new Connection(file);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${keys})`;
  connection.run(`${numbers} INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at,
      started_at, expires_at, created_by)
    SELECT i, 'KEY-' || i, 'key-' || i, 3, 2, 1, 1, ${expiry}, 1 FROM n`);
  connection.run(`INSERT INTO key_totals (owner, game_id, expiry_day, made_count)
    VALUES (0, 3, ${Math.floor(expiry / msPerDay)}, ${keys})`);
  connection.close();
}
