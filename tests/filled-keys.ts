import type { Database as Connection } from "bun:sqlite";

/**
 * Adds what the stores derive from keys, orders and devices (starts, totals and folded texts) after SQL inserted them
 * directly.
 */
export function completeFilledKeys(connection: Connection): void {
  connection.run("DELETE FROM key_totals");
  connection.run("DELETE FROM all_key_totals");
  connection.run(`INSERT INTO key_totals (owner, game_id, expiry_day, made_count, revoked_count)
    SELECT coalesce(reseller_id, 0), game_id, expires_at / 86400000, count(*), count(revoked_at) FROM license_keys GROUP BY 1, 2, 3`);
  connection.run(`UPDATE resellers SET key_count = totals.made_count
    FROM (SELECT owner, sum(made_count) AS made_count FROM key_totals GROUP BY owner) AS totals WHERE totals.owner = resellers.id`);
  connection.run(
    "UPDATE license_keys SET started_at = created_at, text_folded = replace(lower(key_string), '-', ''), note_folded = lower(note)",
  );
  connection.run(`UPDATE license_keys SET look_alike =
    replace(replace(replace(replace(replace(text_folded, 'o', '0'), 'i', '1'), 'l', '1'), 's', '5'), 'b', '8')`);
  connection.run("UPDATE orders SET note_folded = lower(note)");
  connection.run("UPDATE key_devices SET device_folded = lower(device_id)");
}
