import { Database as Connection } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { msPerDay } from "../../src/core/clock.ts";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { startLatchkey, temporaryFolder } from "../process.ts";

const keys = 12_000;
const expiry = 9_000_000_000_000;
const dataFolder = temporaryFolder();
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test("a bulk revocation that is killed halfway leaves every key consistent, and repeating the call finishes it", async () => {
  const file = join(dataFolder, "latchkey.db");
  const first = await startLatchkey({ dataFolder });
  await first.stop();
  fill(file);

  const killed = await startLatchkey({ dataFolder });
  const admin = await signInAdmin(() => createClient(killed.url));
  const { body: shown } = await select(admin);
  expect(shown).toMatchObject({ selected: keys, unused: keys, toRevoke: keys });
  const form = { mark: shown.mark, count: keys };
  const revocation = admin.post("/api/admin/keys/selected/revoke", form).catch(() => "no response");
  const connection = new Connection(file, { readonly: true });
  const counted = (sql: string) => connection.query<{ n: number }, []>(sql).get()?.n ?? 0;
  const revoked = () => counted("SELECT count(*) AS n FROM license_keys WHERE revoked_at IS NOT NULL");
  while (revoked() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await killed.kill();
  expect(await revocation).toBe("no response");

  const done = revoked();
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(keys);
  expect(counted("SELECT sum(revoked_count) AS n FROM key_totals")).toBe(done);
  expect(counted("SELECT count(*) AS n FROM audit WHERE action = 'key_revoked'")).toBe(1);
  connection.close();

  const again = await startLatchkey({ dataFolder });
  const adminAgain = await signInAdmin(() => createClient(again.url));
  expect((await select(adminAgain, { mark: shown.mark })).body).toMatchObject({
    selected: keys,
    toRevoke: keys - done,
  });
  const { body } = await adminAgain.post("/api/admin/keys/selected/revoke", form);
  expect(body).toMatchObject({ revokedCount: keys, passedOver: { revoked: 0, expired: 0 } });
  expect(await again.stop()).toBe(0);
});

function select(admin: Client, form: object = {}) {
  return admin.post("/api/admin/keys/selected", form);
}

function fill(file: string): void {
  const connection = new Connection(file);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${keys})`;
  connection.run(`${numbers} INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
    SELECT i, 'KEY-' || i, 'key-' || i, 3, 2, 1, ${expiry}, 1 FROM n`);
  connection.run(`INSERT INTO key_totals (owner, game_id, expiry_day, made_count)
    VALUES (0, 3, ${Math.floor(expiry / msPerDay)}, ${keys})`);
  connection.close();
}
