import { Database as Connection } from "bun:sqlite";
import { completeFilledKeys } from "./filled-keys.ts";

export interface Amounts {
  resellers: number;
  /** The number of keys of the first reseller, and of admin keys. Other resellers have ten keys each. */
  keysEach: number;
}

/**
 * Fills the database of a stopped server with as many rows as a large business has. It uses SQL because the API would
 * take minutes. Accounts get the first admin's password hash, so they have the same password.
 */
export function fillLarge(file: string, { resellers, keysEach }: Amounts): void {
  const connection = new Connection(file);
  const now = Date.now();
  const day = 86_400_000;
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const key = (owner: string, prefix: string) => `
    SELECT printf('${prefix}-%05d-%05d-%05d', i, (i * 7919) % 100000, (i * 104729) % 100000),
      printf('${prefix.toLowerCase()}-%05d-%05d-%05d', i, (i * 7919) % 100000, (i * 104729) % 100000), 1 + i % 3,
      CASE i % 4 WHEN 0 THEN 100 ELSE 1 END, ${now} - 60 * ${day} + i * 50, ${now} + ((i % 60) - 20) * ${day},
      ${owner}, 1, CASE WHEN i % 50 = 0 THEN ${now} - ${day} END, CASE WHEN i % 50 = 0 THEN 1 END FROM n`;
  const columns =
    "(key_string, normal_form, game_id, device_limit, created_at, expires_at, reseller_id, created_by, revoked_at, revoked_by)";
  connection.run("PRAGMA synchronous = OFF");
  connection.transaction(() => {
    connection.run(`${numbers(resellers)} INSERT INTO accounts (role, username, password_hash, created_at)
      SELECT 'reseller', printf('reseller%05d', i), (SELECT password_hash FROM accounts WHERE id = 1), ${now} - i * 60000 FROM n`);
    connection.run("INSERT INTO resellers (id) SELECT id FROM accounts WHERE role = 'reseller'");
    connection.run(`INSERT INTO credit_ledger (reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at)
      SELECT id, 1000 + id % 977, 1000 + id % 977, 'admin_grant', 1, ${now} FROM resellers`);
    connection.run("UPDATE resellers SET credits_tenths = 1000 + id % 977");
    const first = "(SELECT min(id) FROM resellers)";
    connection.run(`${numbers(keysEach)} INSERT INTO license_keys ${columns} ${key(first, "PBGM")}`);
    connection.run(`${numbers(keysEach)} INSERT INTO license_keys ${columns} ${key("NULL", "LIOS")}`);
    connection.run(
      `${numbers(resellers * 10)} INSERT INTO license_keys ${columns} ${key(`${first} + 1 + i % ${resellers - 1}`, "FIRE")}`,
    );
    completeFilledKeys(connection);
    connection.run(`INSERT INTO referral_tokens (token, credits_tenths, created_at, created_by, used_at, used_by)
      SELECT printf('token-of-a-reseller-%06d', id), 10, ${now} - 90 * ${day}, 1, ${now} - 80 * ${day}, id FROM resellers`);
  })();
  connection.close();
}
