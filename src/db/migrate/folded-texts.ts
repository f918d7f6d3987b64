import type { Database as Connection } from "bun:sqlite";
import { foldedText } from "../../core/folded-text.ts";

/** The migration that adds the columns of folded texts. Its SQL folds the letters A to Z; texts with other letters are folded here. */
export const foldingVersion = 12;

interface TextRow {
  id: number;
  text: string;
}

/** `mark` begins a placeholder. `next` reads rows after an id that have other letters, `fold` updates one. */
function statements(mark: "?" | "$") {
  const columns = [
    { table: "key_devices", column: "device_id", folded: "device_folded" },
    { table: "license_keys", column: "note", folded: "note_folded" },
    { table: "orders", column: "note", folded: "note_folded" },
  ];
  return columns.map(({ table, column, folded }) => ({
    next: `SELECT id, ${column} AS text FROM ${table}
      WHERE id > ${mark}1 AND octet_length(${column}) > length(${column}) ORDER BY id LIMIT 1000`,
    fold: `UPDATE ${table} SET ${folded} = ${mark}1 WHERE id = ${mark}2`,
  }));
}

export function foldTextsInSqlite(connection: Connection): void {
  for (const { next, fold } of statements("?")) {
    const rowsAfter = (id: number) => connection.query<TextRow, [number]>(next).all(id);
    for (let rows = rowsAfter(0); rows.length > 0; rows = rowsAfter(rows.at(-1)?.id as number))
      for (const { id, text } of rows) connection.run(fold, [foldedText(text), id]);
  }
}

export async function foldTextsInPostgres(connection: Bun.ReservedSQL): Promise<void> {
  for (const { next, fold } of statements("$")) {
    const rowsAfter = (id: number): Promise<TextRow[]> => connection.unsafe(next, [id]);
    for (let rows = await rowsAfter(0); rows.length > 0; rows = await rowsAfter(rows.at(-1)?.id as number))
      for (const { id, text } of rows) await connection.unsafe(fold, [foldedText(text), id]);
  }
}
