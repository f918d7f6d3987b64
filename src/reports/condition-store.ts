import type { Sql } from "../db/contract.ts";

/** When a backup was last made by somebody. Those of the schedule are not on record. */
export async function backupOnRecordAt(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ at: number }>`
    SELECT at FROM audit WHERE action = 'backup_made' ORDER BY at DESC, id DESC LIMIT 1`;
  return row?.at ?? null;
}
