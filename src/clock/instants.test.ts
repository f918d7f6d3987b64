import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { sqlitePlan } from "../../tests/query-plans.ts";
import type { Database } from "../db/contract.ts";
import { migrate, releasedMigrations } from "../db/migrate/migrations.ts";
import { openSqlite } from "../db/sqlite/sqlite.ts";
import { newestInstant } from "./instants-store.ts";

let folder: string;
let database: Database;
let connection: Connection;

beforeEach(() => {
  folder = temporaryFolder();
  const file = join(folder, "latchkey.db");
  migrate(file, releasedMigrations(), () => 1);
  database = openSqlite(file);
  connection = new Connection(file);
  connection.run(`
    INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', 'Anna', 'x', 2), ('admin', 'Root', 'x', 3);
    INSERT INTO resellers (id) VALUES (1);
    INSERT INTO license_keys (key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
      VALUES ('KEY-1', 'key-1', 3, 2, 4, 9000000, 2)`);
});
afterEach(async () => {
  connection.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const webhook = `INSERT INTO webhooks (id, account_id, owner, kind, url, events, is_active, created_at)
  VALUES (1, 2, 0, 'discord', 'https://example.com', 'order.created', 1, 1)`;
const apiKey = "INSERT INTO api_keys (account_id, name, key_hash, last_four, scopes, created_at, last_used_at)";

/**
 * Every column with a time in the past. A key's expiry is in the future; the audit log's horizon and the connection
 * time of a removed device are always older than another time; a start, a pause, an intervention, an import, its undo,
 * changes of a webhook and a shop's failures have an event or an audit entry of the same time; migrations do not count.
 */
const changes: Record<string, string> = {
  "accounts.created_at": "UPDATE accounts SET created_at = 100 WHERE id = 1",
  "accounts.removed_at": "UPDATE accounts SET removed_at = 100 WHERE id = 2",
  "two_factor.enabled_at": "INSERT INTO two_factor (account_id, sealed_secret, enabled_at) VALUES (1, 'x', 100)",
  "known_addresses.last_used_at": "INSERT INTO known_addresses VALUES (1, '::1', 100)",
  "sessions.last_seen_at":
    "INSERT INTO sessions (secret, account_id, created_at, last_seen_at) VALUES ('x', 1, 50, 100)",
  "sessions.created_at":
    "INSERT INTO sessions (secret, account_id, created_at, last_seen_at) VALUES ('x', 1, 100, 100)",
  "idempotency_keys.created_at": "INSERT INTO idempotency_keys VALUES (1, 'k', 'h', '{}', 100)",
  "online_updates.updated_at":
    "INSERT INTO online_updates (title, message, is_active, created_at, updated_at) VALUES ('t', 'm', 1, 50, 100)",
  "online_updates.created_at":
    "INSERT INTO online_updates (title, message, is_active, created_at, updated_at) VALUES ('t', 'm', 1, 100, 100)",
  "referral_tokens.created_at":
    "INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by) VALUES ('12345678901234567890', 0, 100, 2)",
  "referral_tokens.used_at":
    "INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by, used_at, used_by) VALUES ('12345678901234567890', 0, 50, 2, 100, 1)",
  "credit_ledger.created_at":
    "INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at) VALUES (1, 5, 5, 'admin_grant', 2, 100)",
  "orders.created_at":
    "INSERT INTO orders (made_by, game_id, device_limit, days, key_count, cost_tenths, created_at) VALUES (2, 3, 1, 30, 1, 0, 100)",
  "license_keys.created_at":
    "INSERT INTO license_keys (key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by) VALUES ('KEY-2', 'key-2', 3, 1, 100, 9000000, 2)",
  "license_keys.revoked_at": "UPDATE license_keys SET revoked_at = 100, revoked_by = 2 WHERE id = 1",
  "key_devices.first_connected_at":
    "INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (1, 'phone', 100)",
  "api_keys.created_at": `${apiKey} VALUES (2, 'Shop', '${"a".repeat(64)}', 'abcd', 'verify', 100, NULL)`,
  "api_keys.last_used_at": `${apiKey} VALUES (2, 'Shop', '${"a".repeat(64)}', 'abcd', 'verify', 1, 100)`,
  "audit.at": "INSERT INTO audit (at, action, target, details) VALUES (100, 'signed_out', 'admin Root', '{}')",
  "key_events.created_at":
    "INSERT INTO key_events (key_id, what, made_by, created_at) VALUES (1, 'DEVICES_RESET', 2, 100)",
  "webhook_deliveries.at": `${webhook};
    INSERT INTO webhook_deliveries (webhook_id, message_id, type, data, at) VALUES (1, 'm', 'order.created', '{}', 100)`,
  "shop_links.created_at": `INSERT INTO shop_links (account_id, ref, name, game_id, terms, sealed_secret, is_active, created_at)
    VALUES (2, 'ref', 'Shop', 3, '{}', 'x', 1, 100)`,
  "shop_sales.at": `INSERT INTO shop_sales (shop_link_id, at, status, code, message, refusal_hash, refusal_count)
    VALUES (1, 100, 401, 'C', 'm', 'h', 1)`,
  "key_refusals.last_at": "INSERT INTO key_refusals VALUES (0, 1, 4, 1, 100, 'phone')",
};

test("is the creation of the newest key if nothing happened since", async () => {
  expect(await newestInstant(database.read)).toBe(4);
});

test.each(Object.entries(changes))("looks at %s", async (_column, act) => {
  connection.run(act);
  expect(await newestInstant(database.read)).toBe(100);
  expect(await newestInstant(database.read, 100)).toBeLessThan(100);
});

test("sorts no table, even if statistics say that its index on the owner and the time has few owners", async () => {
  connection.run("ANALYZE");
  connection.run(`DELETE FROM sqlite_stat1;
    INSERT INTO sqlite_stat1 VALUES ('license_keys', 'license_keys_created', '1000000 500000 1'),
      ('orders', 'orders_owner', '1000000 500000 1')`);
  let steps: string[] = [];
  await newestInstant(async (strings, ...values) => {
    steps = sqlitePlan(join(folder, "latchkey.db"), { strings, values });
    return [];
  });
  expect(steps).toContain("SCAN license_keys");
  expect(steps.filter((step) => step.includes("ORDER BY"))).toEqual([]);
});

test("every time column is considered, except future times", () => {
  const columns = connection
    .query<{ name: string }, []>(
      `SELECT t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND (c.name = 'at' OR c.name LIKE '%\\_at' ESCAPE '\\')
         AND c.name NOT IN ('expires_at', 'kept_since_at', 'connected_at', 'applied_at', 'doubted_since_at', 'started_at',
           'paused_at', 'pause_ends_at', 'next_at', 'undone_at')
         AND t.name NOT IN ('interventions', 'imports', 'game_maintenance', 'webhooks', 'key_expiry_watch',
           'shop_failures', 'blocked_devices')`,
    )
    .all();
  expect(columns.map(({ name }) => name).sort()).toEqual(Object.keys(changes).sort());
});
