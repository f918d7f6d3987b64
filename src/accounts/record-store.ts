import type { Sql } from "../db/contract.ts";
import type { Role } from "./schema.ts";

export interface NewRecord {
  at: number;
  action: string;
  /** Nobody's where all three are null. */
  actorId: number | null;
  actorUsername: string | null;
  actorRole: Role | null;
  target: string;
  address: string | null;
  /** JSON. */
  details: string;
}

/** Writes one row of the record, in the transaction of what it records. `src/audit` reads them. */
export async function insertRecord(sql: Sql, row: NewRecord): Promise<void> {
  await sql`
    INSERT INTO audit (at, action, actor_id, actor_username, actor_role, target, address, details)
    VALUES (${row.at}, ${row.action}, ${row.actorId}, ${row.actorUsername}, ${row.actorRole}, ${row.target}, ${row.address},
      ${row.details})`;
}
