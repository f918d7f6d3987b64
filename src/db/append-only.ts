import type { Sql, SqlPart } from "./contract.ts";

/** Tables whose triggers refuse changes to existing rows. */
const tables = ["audit", "audit_horizon", "credit_ledger"] as const;

/**
 * Runs `work` in the caller's transaction without the triggers of append-only tables, and restores them. Only
 * `latchkey clock repair` and `latchkey resellers erase` change rows there. No server may be running.
 */
export async function withoutTriggers<Result>(
  sql: Sql,
  { isPostgres }: { isPostgres: boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const restore = isPostgres ? await disableTriggers(sql) : await dropTriggers(sql);
  const result = await work();
  await restore();
  return result;
}

/** Inserts a name or a statement of our own into SQL, not a value. */
export function raw(text: string): SqlPart {
  return { strings: [text], values: [] };
}

async function dropTriggers(sql: Sql) {
  const triggers = await sql<{ name: string; statement: string }>`
    SELECT name, sql AS statement FROM sqlite_schema
    WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(${JSON.stringify(tables)}))`;
  for (const { name } of triggers) await sql`DROP TRIGGER ${raw(name)}`;
  return async () => {
    for (const { statement } of triggers) await sql`${raw(statement)}`;
  };
}

async function disableTriggers(sql: Sql) {
  for (const table of tables) await sql`ALTER TABLE ${raw(table)} DISABLE TRIGGER USER`;
  return async () => {
    // A table with pending deferred constraints cannot be altered.
    await sql`SET CONSTRAINTS ALL IMMEDIATE`;
    for (const table of tables) await sql`ALTER TABLE ${raw(table)} ENABLE TRIGGER USER`;
  };
}
