import type { Role } from "../accounts/schema.ts";
import type { Period } from "../core/period.ts";
import { foldedText } from "../core/text.ts";
import { containing, hasRows, listed, nothing, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";
import type { Action } from "../facts/audit-entry.ts";
import type { AuditEntry } from "./schema.ts";

/** As `accounts/audited-changes.ts` wrote it. `details` is JSON. */
export interface AuditRow extends Pick<AuditEntry, "id" | "action" | "target" | "address"> {
  at: number;
  actorId: number | null;
  actorUsername: string | null;
  actorRole: Role | null;
  details: string;
}

export interface AuditFilter extends Period {
  search?: string;
  action?: Action;
  /** A whole username, in any case. */
  actor?: string;
}

/** Newest first. `after` is the time and the id of the row before them. */
export async function listRows(
  sql: Sql,
  filter: AuditFilter,
  { after, limitPart }: Page<[number, number]>,
): Promise<AuditRow[]> {
  const older = after ? part`AND (at, id) < (${after[0]}, ${after[1]})` : nothing;
  return sql<AuditRow>`
    SELECT id, at, action, actor_id AS "actorId", actor_username AS "actorUsername", actor_role AS "actorRole",
      target, address, details
    FROM audit WHERE 1 = 1 ${await matching(sql, filter)} ${older} ORDER BY at DESC, id DESC ${limitPart}`;
}

async function matching(sql: Sql, { search, action, actor, from, to }: AuditFilter): Promise<SqlPart> {
  const found = search ? part`AND ${await foundPart(sql, search)}` : nothing;
  return part`${found} ${action ? part`AND action = ${action}` : nothing}
    ${actor ? part`AND lower(actor_username) = ${actor.toLowerCase()}` : nothing}
    ${from === undefined ? nothing : part`AND at >= ${from}`} ${to === undefined ? nothing : part`AND at < ${to}`}`;
}

/** Changes whose target may have letters that SQL's lower() does not know. */
const namedInAnyScript: Action[] = [
  ...(["game_created", "game_changed", "duration_created", "duration_changed"] as const),
  ...(["price_list_created", "price_list_changed"] as const),
];

async function foundPart(sql: Sql, search: string): Promise<SqlPart> {
  const folded = foldedText(search);
  const [text, pattern] = [containing(folded), containing(search.toLowerCase())];
  const named = await sql<{ target: string }>`
    SELECT DISTINCT target FROM audit
    WHERE action IN (${listed(namedInAnyScript)}) AND octet_length(target) > length(target)`;
  const targets = named.map(({ target }) => target).filter((target) => foldedText(target).includes(folded));
  return part`(lower(actor_username) LIKE ${text} ESCAPE '\\' OR lower(target) LIKE ${pattern} ESCAPE '\\'
    OR target IN (${listed(targets)}) OR address LIKE ${pattern} ESCAPE '\\')`;
}

export async function hasOlder(sql: Sql, keptSince: number): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM audit WHERE at < ${keptSince} LIMIT 1`);
}

/** From now on rows before this instant may be erased. It never moves back. */
export async function moveHorizon(sql: Sql, keptSince: number): Promise<void> {
  await sql`UPDATE audit_horizon SET kept_since_at = ${keptSince} WHERE kept_since_at < ${keptSince}`;
}

/** Erases some of the oldest rows before an instant that the horizon has reached. */
export async function eraseOldest(sql: Sql, keptSince: number, rowsMax: number): Promise<void> {
  await sql`
    DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ${keptSince} ORDER BY at, id LIMIT ${rowsMax})`;
}
