import { Database as Connection } from "bun:sqlite";
import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createActs } from "../../src/accounts/acts.ts";
import { createAdmins } from "../../src/accounts/admins.ts";
import { createPasswords } from "../../src/accounts/passwords/passwords.ts";
import { migrate, releasedMigrations } from "../../src/db/migrate/migrations.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite.ts";
import { countFilledKeys } from "../key-totals.ts";
import { adminLogin } from "../process.ts";
import { deviceLimit, devicesOfKeyInSql, game, keyTextInSql, knownDevicesInSql } from "./key-space.ts";

/** Where filled databases are kept between runs, and where a run works. Not in memory: the disk is part of what is measured. */
export const benchFolder = join(import.meta.dir, "../.artifacts/bench");

/** Times are fixed, so that the same file serves every day: made in 2026, good until 2090. */
const madeAt = Date.UTC(2026, 0, 1);
const expiresAt = Date.UTC(2090, 0, 1);

/** The least that a system keeps of a file. */
const pageBytes = 4_096;

const resellersPerThousandKeys = 5;
const resellersMin = 100;
const updates = 3;
const creditsTenths = 1_000_000;
const keysPerOrderMax = 10;
const priceTenths = 30;

/**
 * A database of Latchkey with so many keys, 1.5 devices each, made at the first call for this schema and kept. Each reseller has as many keys
 * as the next, and one in five owners is an admin.
 */
export async function filledDatabase(keys: number, resellers = resellersAsRule(keys)): Promise<string> {
  const schema = releasedMigrations().map(({ checksum }) => checksum);
  return keptFile(`latchkey-${keys}-${resellers}`, schema.join(), async (file) => {
    const empty = `${file}.empty`;
    migrate(empty, releasedMigrations(), () => madeAt);
    const database = openSqlite(empty);
    const now = () => madeAt;
    const admins = createAdmins({ database, acts: createActs({ database, now }), passwords: createPasswords(), now });
    await admins.create(adminLogin.username, adminLogin.password);
    await database.close();
    // Into a file that nothing holds open, so that it can be written without a journal.
    new Connection(empty).run("VACUUM INTO ?", [file]);
    fill(file, keys, resellers);
  });
}

function resellersAsRule(keys: number): number {
  return Math.max(resellersMin, (keys / 1_000) * resellersPerThousandKeys);
}

/** What the hand-written server needs of the same rows: its whole schema is two tables and their keys. */
export async function filledFloor(keys: number): Promise<string> {
  return keptFile(`floor-${keys}`, floorSchema, async (file) => {
    const connection = openForFilling(file);
    connection.run(floorSchema);
    connection.run(`${numbers(keys)}
      INSERT INTO keys (id, key_string, game, device_limit, device_count, expires_at)
      SELECT i + 1, lower(${keyTextInSql}), '${game}', ${deviceLimit}, ${devicesOfKeyInSql}, ${expiresAt} + i FROM n`);
    connection.run("CREATE UNIQUE INDEX keys_key_string ON keys (key_string)");
    connection.run(`${numbers(keys)} INSERT INTO devices SELECT number + 1, device FROM (${knownDevicesInSql})`);
    connection.close();
  });
}

const floorSchema = `
  CREATE TABLE keys (id INTEGER PRIMARY KEY, key_string TEXT NOT NULL, game TEXT NOT NULL, device_limit INTEGER NOT NULL,
    device_count INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER) STRICT;
  CREATE TABLE devices (key_id INTEGER NOT NULL, device_id TEXT NOT NULL, PRIMARY KEY (key_id, device_id)) STRICT, WITHOUT ROWID;`;

/** Indexes are built over the finished rows: a million keys in an order that no index likes would take minutes. */
function fill(file: string, keys: number, resellers: number): void {
  const connection = openForFilling(file);
  const fillAll = connection.transaction(() => {
    const indexes = connection
      .query<{ name: string; sql: string }, []>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'license_keys' AND sql IS NOT NULL",
      )
      .all();
    for (const { name } of indexes) connection.run(`DROP INDEX ${name}`);
    connection.run(`${numbers(resellers)} INSERT INTO accounts (role, username, password_hash, created_at)
      SELECT 'reseller', printf('reseller%05d', i), (SELECT password_hash FROM accounts WHERE id = 1), ${madeAt} FROM n`);
    connection.run(`INSERT INTO resellers (id, credits_tenths)
      SELECT id, ${creditsTenths} FROM accounts WHERE role = 'reseller'`);
    // Keys whose numbers leave the same rest are one owner's; each owner ordered its own in as many orders of the same size.
    const keysPerOrder = Math.min(keysPerOrderMax, keys / resellers);
    const ordersPerOwner = keys / resellers / keysPerOrder;
    const costTenths = keysPerOrder * priceTenths;
    const ownerOf = (rest: string) => `CASE WHEN ${rest} % 5 > 0 THEN 2 + ${rest} END`;
    const ofOrder = ownerOf(`(i / ${ordersPerOwner})`);
    connection.run(`${numbers(resellers * ordersPerOwner)}
      INSERT INTO orders (reseller_id, made_by, game, device_limit, days, key_count, cost_tenths, note, created_at)
      SELECT ${ofOrder}, coalesce(${ofOrder}, 1), '${game}', ${deviceLimit}, 30, ${keysPerOrder},
        CASE WHEN ${ofOrder} IS NULL THEN 0 ELSE ${costTenths} END, CASE WHEN i % 4 = 0 THEN 'Clan ' || i END, ${madeAt} + i FROM n`);
    connection.run(`INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id)
      SELECT id, amount, amount, 'admin_grant', 1, ${madeAt}, NULL FROM (
        SELECT r.id, r.credits_tenths + coalesce(sum(o.cost_tenths), 0) AS amount
        FROM resellers r LEFT JOIN orders o ON o.reseller_id = r.id GROUP BY r.id)
      UNION ALL SELECT reseller_id, -cost_tenths,
        ${creditsTenths} + (${ordersPerOwner - 1} - (id - 1) % ${ordersPerOwner}) * ${costTenths}, 'key_purchase', reseller_id, created_at, id
      FROM orders WHERE reseller_id IS NOT NULL`);
    const ofKey = ownerOf(`(i % ${resellers})`);
    connection.run(`${numbers(keys)}
      INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, reseller_id, created_by, order_id, note)
      SELECT ${keyTextInSql}, '${game}', ${deviceLimit}, ${madeAt} + i, ${expiresAt} + i, ${ofKey}, coalesce(${ofKey}, 1),
        i % ${resellers} * ${ordersPerOwner} + i / ${resellers * keysPerOrder} + 1, CASE WHEN i % 50 = 0 THEN 'Sold to customer ' || i END FROM n`);
    for (const { sql } of indexes) connection.run(sql);
    countFilledKeys(connection);
    connection.run(`${numbers(keys)} INSERT INTO key_devices (key_id, device_id, first_connected_at)
      SELECT number + 1, device, ${madeAt} + number FROM (${knownDevicesInSql})`);
    connection.run(`${numbers(updates)} INSERT INTO online_updates (title, message, is_active, created_at, updated_at)
      SELECT 'Update ' || i, 'What is new in this version, in about as many words as people read of it.', 1, ${madeAt}, ${madeAt} FROM n`);
  });
  fillAll();
  connection.run("ANALYZE");
  connection.close();
}

function openForFilling(file: string): Connection {
  const connection = new Connection(file, { create: true, readwrite: true });
  connection.run("PRAGMA journal_mode = OFF");
  connection.run("PRAGMA synchronous = OFF");
  connection.run("PRAGMA cache_size = -1000000");
  connection.run("PRAGMA temp_store = MEMORY");
  return connection;
}

function numbers(count: number): string {
  return `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
}

/** The file is made under another name first, so that one that was left half-filled is never taken for whole. */
async function keptFile(name: string, madeFrom: string, make: (file: string) => Promise<void>): Promise<string> {
  const recipe = new Bun.CryptoHasher("sha256").update(madeFrom + fill.toString() + keyTextInSql).digest("hex");
  const file = join(benchFolder, `${name}-${recipe.slice(0, 12)}.db`);
  if (existsSync(file)) return file;
  mkdirSync(benchFolder, { recursive: true });
  removeUnfinished();
  const unfinished = `${file}.${process.pid}.unfinished`;
  await make(unfinished);
  putOnDisk(unfinished);
  renameSync(unfinished, file);
  removeUnfinished();
  return file;
}

/** A filled database for one server to work on. */
export function copyToDisk(filled: string, file: string): void {
  copyFileSync(filled, file);
  putOnDisk(file);
}

/**
 * Maps a file and reads it through, so that the system keeps it in memory for as long as the answer is referred to. A machine may drop what nobody
 * asked for within a minute, however much of its memory is free (Linux' DAMON does, where it is set up so), and what comes late in a run would then
 * be measured by what its server had read a minute before.
 */
export function heldInCache(file: string): Uint8Array {
  const mapped = Bun.mmap(file, { shared: false });
  for (let at = 0; at < mapped.length; at += pageBytes) mapped.at(at);
  return mapped;
}

/** What is left to the system it would write half a minute later, beside whatever is measured then. */
function putOnDisk(file: string): void {
  const written = openSync(file, "r+");
  fsyncSync(written);
  closeSync(written);
}

/** Not what another process is making at this time. */
function removeUnfinished(): void {
  for (const name of new Bun.Glob("*.unfinished*").scanSync(benchFolder)) {
    const [, maker] = /\.(\d+)\.unfinished/.exec(name) ?? [];
    if (maker === String(process.pid) || !existsSync(`/proc/${maker}`))
      rmSync(join(benchFolder, name), { force: true });
  }
}
