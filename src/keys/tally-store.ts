import { listOf, part, type Sql } from "../db/contract.ts";

/** How often a key was refused on a day by one verdict, when last, and on which device. `code` is a number of the migration's. */
export interface RefusalRow {
  day: number;
  keyId: number;
  code: number;
  count: number;
  lastAt: number;
  lastDeviceId: string;
}

/** How often clients were told a verdict on a day, of an owner's keys: 0 for the admins', `null` for what is no key. */
export interface VerdictRow {
  day: number;
  owner: number | null;
  code: number;
  count: number;
  /** Of them, how many connected a new device. */
  connected: number;
}

/** By one statement: each is a way to the database and back. No two rows are of the same day, key and code. */
export async function addRefusals(sql: Sql, rows: RefusalRow[]) {
  const values = rows.map(
    ({ day, keyId, code, count, lastAt, lastDeviceId }) =>
      part`(${day}, ${keyId}, ${code}, ${count}, ${lastAt}, ${lastDeviceId})`,
  );
  await sql`
    INSERT INTO key_refusals (refused_day, key_id, verdict_code, refusal_count, last_at, last_device_id)
    VALUES ${listOf(values)}
    ON CONFLICT (refused_day, key_id, verdict_code) DO UPDATE SET
      refusal_count = key_refusals.refusal_count + excluded.refusal_count,
      last_at = excluded.last_at, last_device_id = excluded.last_device_id`;
}

/**
 * Adds to what the owners' keys come to, and to what all come to. All first: who writes the same owners' rows at once, elsewhere, waits there, and
 * not with half of them in hand. No two rows are of the same day, owner and code.
 */
export async function addVerdicts(sql: Sql, rows: VerdictRow[]) {
  await sql`
    INSERT INTO all_verdict_totals (told_day, verdict_code, verdict_count, connected_count)
    VALUES ${listOf(summed(rows).map(({ day, code, count, connected }) => part`(${day}, ${code}, ${count}, ${connected})`))}
    ON CONFLICT (told_day, verdict_code) DO UPDATE SET
      verdict_count = all_verdict_totals.verdict_count + excluded.verdict_count,
      connected_count = all_verdict_totals.connected_count + excluded.connected_count`;
  const owned = rows.filter(({ owner }) => owner !== null);
  if (owned.length === 0) return;
  const values = owned.map(
    ({ day, owner, code, count, connected }) => part`(${day}, ${owner}, ${code}, ${count}, ${connected})`,
  );
  await sql`
    INSERT INTO verdict_totals (told_day, owner, verdict_code, verdict_count, connected_count)
    VALUES ${listOf(values)}
    ON CONFLICT (told_day, owner, verdict_code) DO UPDATE SET
      verdict_count = verdict_totals.verdict_count + excluded.verdict_count,
      connected_count = verdict_totals.connected_count + excluded.connected_count`;
}

/** What all owners come to, by day and code, in their order: whoever writes several of them writes them in the same one. */
function summed(rows: VerdictRow[]): Omit<VerdictRow, "owner">[] {
  const sums = new Map<string, Omit<VerdictRow, "owner">>();
  for (const { day, code, count, connected } of rows) {
    const sum = sums.get(`${day} ${code}`) ?? { day, code, count: 0, connected: 0 };
    sums.set(`${day} ${code}`, { day, code, count: sum.count + count, connected: sum.connected + connected });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day || a.code - b.code);
}

/** Whether there is anything of before. */
export async function hasOlder(sql: Sql, { refusalsSince, totalsSince }: KeptSince): Promise<boolean> {
  const rows = await sql`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM key_refusals WHERE refused_day < ${refusalsSince})
      OR EXISTS (SELECT 1 FROM verdict_totals WHERE told_day < ${totalsSince})
      OR EXISTS (SELECT 1 FROM all_verdict_totals WHERE told_day < ${totalsSince})`;
  return rows.length > 0;
}

/** The first days that are kept. */
export interface KeptSince {
  refusalsSince: number;
  totalsSince: number;
}

/** Erases some of the rows of before, of each table. */
export async function eraseOldest(sql: Sql, { refusalsSince, totalsSince }: KeptSince, rowsMax: number) {
  await sql`
    DELETE FROM key_refusals WHERE (refused_day, key_id, verdict_code) IN (
      SELECT refused_day, key_id, verdict_code FROM key_refusals WHERE refused_day < ${refusalsSince} LIMIT ${rowsMax})`;
  await sql`
    DELETE FROM verdict_totals WHERE (told_day, owner, verdict_code) IN (
      SELECT told_day, owner, verdict_code FROM verdict_totals WHERE told_day < ${totalsSince} LIMIT ${rowsMax})`;
  await sql`DELETE FROM all_verdict_totals WHERE told_day < ${totalsSince}`;
}
