import type { Sql } from "../../db/contract.ts";

/** Whether the panel is unused. An admin may exist: `serve` creates the first one. */
export async function isEmpty(sql: Sql): Promise<boolean> {
  const rows = await sql`
    SELECT 1 FROM resellers UNION ALL SELECT 1 FROM license_keys UNION ALL SELECT 1 FROM referral_tokens
    UNION ALL SELECT 1 FROM online_updates LIMIT 1`;
  return rows.length === 0;
}

/** Opens a session without a cookie, for the demo to act as that account. The caller ends it. */
export async function openSession(
  sql: Sql,
  { secret, accountId, at }: { secret: string; accountId: number; at: number },
): Promise<number> {
  const [row] = await sql<{ id: number }>`
    INSERT INTO sessions (secret, account_id, created_at, last_seen_at) VALUES (${secret}, ${accountId}, ${at}, ${at})
    RETURNING id`;
  return (row as { id: number }).id;
}
