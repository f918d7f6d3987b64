import { Database as Connection } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { completeFilledKeys } from "../filled-keys.ts";
import { adminLogin, program, runLatchkey } from "../process.ts";
import { connectedDevice, deviceLimit, game, keyText } from "./key-space.ts";

/** Filled databases stay here between runs. The folder is on a disk because the disk is part of what is measured. */
export const benchFolder = join(import.meta.dir, "../.artifacts/bench");

// Fixed times keep a filled file valid until 2090.
const madeAt = Date.UTC(2026, 0, 1);
const expiresAt = Date.UTC(2090, 0, 1);
const keysPerReseller = 200;
const resellersMin = 100;
const keysPerOrder = 10;
const costTenths = 300;
const creditsTenths = 1_000_000;
const firstResellerId = 2;

/**
 * Returns the path of a database with this many keys. Every key has a connected device, and every second key has two.
 * Resellers sign in as reseller00000, reseller00001 … with the admin's password.
 */
export async function filledDatabase(
  keys: number,
  command = program,
  resellers = Math.max(resellersMin, keys / keysPerReseller),
): Promise<string> {
  mkdirSync(benchFolder, { recursive: true });
  const folder = mkdtempSync(join(benchFolder, "filling-"));
  const run = async (words: string[], input?: string) => {
    const { code, stderr } = await runLatchkey(words, { command, input, environment: { DATA_DIR: folder } });
    if (code !== 0) throw new Error(`latchkey ${words.join(" ")} failed: ${stderr}`);
  };
  try {
    await run(["migrate"]);
    const connection = new Connection(join(folder, "latchkey.db"));
    // The name changes with the schema and with this file, so an outdated database is not used again.
    const recipe =
      JSON.stringify(connection.query("SELECT sql FROM sqlite_schema").all()) + readFileSync(import.meta.path);
    const kept = join(benchFolder, `${keys}-${resellers}-${Bun.hash(recipe).toString(36)}.db`);
    if (!existsSync(kept)) {
      await run(["admin", "create", adminLogin.username, "--password-stdin"], adminLogin.password);
      fill(connection, keys, resellers);
      for (const outdated of new Bun.Glob(`${keys}-${resellers}-*.db`).scanSync(benchFolder))
        rmSync(join(benchFolder, outdated), { force: true });
      renameSync(join(folder, "latchkey.db"), kept);
    }
    connection.close();
    return kept;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fill(connection: Connection, keys: number, resellers: number): void {
  for (const setting of ["journal_mode = DELETE", "synchronous = OFF", "cache_size = -1000000"])
    connection.run(`PRAGMA ${setting}`);
  connection.transaction(() => {
    // Building the indexes over finished rows is several times faster than keeping them up to date.
    const indexes = connection
      .query<{ name: string; sql: string }, []>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'license_keys' AND sql IS NOT NULL",
      )
      .all();
    for (const { name } of indexes) connection.run(`DROP INDEX ${name}`);
    addResellers(connection, resellers);
    addOrders(connection, keys, resellers);
    addKeys(connection, keys);
    connection.run(`INSERT INTO online_updates (title, message, is_active, created_at, updated_at)
      VALUES ('Update', 'What is new in this version, in about as many words as people read.', 1, ${madeAt}, ${madeAt})`);
    completeFilledKeys(connection);
    for (const { sql } of indexes) connection.run(sql);
  })();
  connection.run("ANALYZE");
}

function addResellers(connection: Connection, resellers: number): void {
  const addAccount = connection.prepare(`INSERT INTO accounts (id, role, username, password_hash, created_at)
    SELECT ?, 'reseller', ?, password_hash, ${madeAt} FROM accounts WHERE id = 1`);
  for (let reseller = 0; reseller < resellers; reseller += 1)
    addAccount.run(firstResellerId + reseller, `reseller${String(reseller).padStart(5, "0")}`);
  connection.run(`INSERT INTO resellers (id, credits_tenths) SELECT id, ${creditsTenths} FROM accounts WHERE id > 1`);
  connection.run(`INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at)
    SELECT id, credits_tenths, credits_tenths, 'admin_grant', 1, ${madeAt} FROM resellers`);
}

/** Resellers buy in turn. Every seventh order is the admin's. */
function addOrders(connection: Connection, keys: number, resellers: number): void {
  const add = connection.prepare(`INSERT INTO orders
    (id, reseller_id, made_by, game_id, device_limit, days, key_count, cost_tenths, note, created_at)
    VALUES (?, ?, ?, (SELECT id FROM games WHERE name = '${game}'), ${deviceLimit}, 30, ${keysPerOrder}, ?, ?, ?)`);
  for (let order = 0; order < keys / keysPerOrder; order += 1) {
    const owner = order % 7 === 0 ? null : firstResellerId + (order % resellers);
    const note = order % 4 === 0 ? `Clan ${order}` : null;
    add.run(order + 1, owner, owner ?? 1, owner ? costTenths : 0, note, madeAt + order * keysPerOrder);
  }
  connection.run(`INSERT INTO credit_ledger
      (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id)
    SELECT reseller_id, -cost_tenths, ${creditsTenths} - sum(cost_tenths) OVER (PARTITION BY reseller_id ORDER BY id),
      'key_purchase', reseller_id, created_at, id FROM orders WHERE reseller_id IS NOT NULL ORDER BY id`);
  connection.run(`UPDATE resellers SET credits_tenths = credits_tenths - paid
    FROM (SELECT reseller_id, sum(cost_tenths) AS paid FROM orders GROUP BY 1) AS o WHERE o.reseller_id = resellers.id`);
}

function addKeys(connection: Connection, keys: number): void {
  const addKey = connection.prepare(`INSERT INTO license_keys
      (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, reseller_id, created_by, order_id, note)
    SELECT ?1, ?2, lower(?2), game_id, device_limit, ?3, ?4, reseller_id, made_by, id, ?5 FROM orders WHERE id = ?6`);
  const connect = connection.prepare(
    // Seen today on every day on which the file is used: most verifications of a day are not a device's first.
    `INSERT INTO key_devices (key_id, device_id, first_connected_at, last_seen_day) VALUES (?, ?, ?, ${expiresAt} / 86400000)`,
  );
  for (let key = 0; key < keys; key += 1) {
    const note = key % 50 === 0 ? `Sold to customer ${key}` : null;
    addKey.run(key + 1, keyText(key), madeAt + key, expiresAt + key, note, Math.floor(key / keysPerOrder) + 1);
    connect.run(key + 1, connectedDevice(key), madeAt + key);
    if (key % 4 >= 2) connect.run(key + 1, `tablet-${key}`, madeAt + key);
  }
}
