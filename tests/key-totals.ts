import type { Database as Connection } from "bun:sqlite";

/** Counts keys that were written by SQL, past the store that counts those that it makes. */
export function countFilledKeys(connection: Connection): void {
  connection.run("DELETE FROM key_totals");
  connection.run("DELETE FROM all_key_totals");
  connection.run(`INSERT INTO key_totals (owner, game, expiry_day, made_count, revoked_count)
    SELECT coalesce(reseller_id, 0), game, expires_at / 86400000, count(*), count(revoked_at) FROM license_keys GROUP BY 1, 2, 3`);
  connection.run(`UPDATE resellers SET key_count = totals.made_count
    FROM (SELECT owner, sum(made_count) AS made_count FROM key_totals GROUP BY owner) AS totals WHERE totals.owner = resellers.id`);
}
