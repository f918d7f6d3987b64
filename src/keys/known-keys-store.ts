import type { Sql } from "../db/contract.ts";

/** The latest key's id; 0 where there is none. */
export async function lastKeyId(sql: Sql): Promise<number> {
  const [row] = await sql<{ id: number | null }>`SELECT max(id) AS id FROM license_keys`;
  return row?.id ?? 0;
}

/** The next keys after an id, by the texts that verification looks up. Keys are never erased, and their texts never change. */
export async function loweredTextsAfter(
  sql: Sql,
  id: number,
  rowsMax: number,
): Promise<{ id: number; text: string }[]> {
  return sql<{ id: number; text: string }>`
    SELECT id, lower(key_string) AS text FROM license_keys WHERE id > ${id} ORDER BY id LIMIT ${rowsMax}`;
}
