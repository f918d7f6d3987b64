import { Database as Connection } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createClient, signInAdmin } from "../client.ts";
import { startLatchkey, temporaryFolder } from "../process.ts";

const keys = 20_000;
const dataFolder = temporaryFolder();
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test("a reset that is killed halfway leaves every key consistent, and the next reset finishes it", async () => {
  const file = join(dataFolder, "latchkey.db");
  const first = await startLatchkey({ dataFolder });
  await first.stop();
  fill(file);

  const killed = await startLatchkey({ dataFolder });
  const admin = await signInAdmin(() => createClient(killed.url));
  const reset = admin.post("/api/admin/keys/reset-devices").catch(() => "no response");
  const connection = new Connection(file, { readonly: true });
  while (inUse(connection) === keys) await new Promise((resolve) => setTimeout(resolve, 1));
  await killed.kill();
  expect(await reset).toBe("no response");

  const left = inUse(connection);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(keys);
  const counted = (sql: string) => connection.query<{ n: number }, []>(sql).get()?.n;
  expect(counted("SELECT count(*) AS n FROM key_events")).toBe(keys - left);
  expect(counted("SELECT count(*) AS n FROM audit WHERE action = 'devices_reset'")).toBe(1);
  connection.close();

  const again = await startLatchkey({ dataFolder });
  const response = await (await signInAdmin(() => createClient(again.url))).post("/api/admin/keys/reset-devices");
  expect(response.body).toEqual({ resetCount: left });
  expect(await again.stop()).toBe(0);
});

function fill(file: string): void {
  const connection = new Connection(file);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${keys})`;
  connection.run(`${numbers} INSERT INTO license_keys (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
    SELECT i, 'KEY-' || i, 'key-' || i, 3, 2, 1, 9000000000000, 1 FROM n`);
  connection.run(
    "INSERT INTO key_devices (key_id, device_id, first_connected_at) SELECT id, 'phone', 1 FROM license_keys",
  );
  connection.close();
}

function inUse(connection: Connection): number {
  const count = "SELECT count(DISTINCT key_id) AS n FROM key_devices";
  return connection.query<{ n: number }, []>(count).get()?.n ?? 0;
}
