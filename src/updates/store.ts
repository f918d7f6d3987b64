import { firstOf, nothing, part, type Sql } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";

export interface UpdateRow {
  id: number;
  title: string;
  message: string;
  buttonText: string | null;
  linkUrl: string | null;
  isActive: number;
  createdAt: number;
  updatedAt: number;
}

export type UpdateContent = Omit<UpdateRow, "id" | "createdAt" | "updatedAt">;

const updateColumns = part`id, title, message, button_text AS "buttonText", link_url AS "linkUrl", is_active AS "isActive",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function listUpdates(sql: Sql, onlyActive: boolean, page: Page<[number]>): Promise<UpdateRow[]> {
  const active = onlyActive ? part`AND is_active = 1` : nothing;
  const after = page.after ? part`AND id < ${page.after[0]}` : nothing;
  return sql<UpdateRow>`
    SELECT ${updateColumns} FROM online_updates WHERE 1 = 1 ${active} ${after} ORDER BY id DESC ${page.limitPart}`;
}

export async function insertUpdate(sql: Sql, content: UpdateContent, at: number): Promise<UpdateRow> {
  const [row] = await sql<UpdateRow>`
    INSERT INTO online_updates (title, message, button_text, link_url, is_active, created_at, updated_at)
    VALUES (${content.title}, ${content.message}, ${content.buttonText}, ${content.linkUrl}, ${content.isActive}, ${at}, ${at})
    RETURNING ${updateColumns}`;
  return row as UpdateRow;
}

/**
 * Returns the changed update, or null if there is none. `updated_at` is never before `created_at`, even if the clock
 * was set back.
 */
export async function changeUpdate(
  sql: Sql,
  id: number,
  content: UpdateContent,
  at: number,
): Promise<UpdateRow | null> {
  return firstOf(sql<UpdateRow>`
    UPDATE online_updates SET title = ${content.title}, message = ${content.message}, button_text = ${content.buttonText},
      link_url = ${content.linkUrl}, is_active = ${content.isActive},
      updated_at = CASE WHEN created_at > ${at} THEN created_at ELSE ${at} END
    WHERE id = ${id} RETURNING ${updateColumns}`);
}

/** Returns the title of the deleted update, or null if there is none. */
export async function deleteUpdate(sql: Sql, id: number): Promise<string | null> {
  const [row] = await sql<{ title: string }>`DELETE FROM online_updates WHERE id = ${id} RETURNING title`;
  return row?.title ?? null;
}
