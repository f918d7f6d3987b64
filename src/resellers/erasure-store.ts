import { containing, listOf, part, type Sql } from "../db/contract.ts";

/** Takes the name and the password. The account stays for what refers to it, and cannot sign in. */
export async function eraseAccount(
  sql: Sql,
  { id, name, passwordHash, at }: { id: number; name: string; passwordHash: string; at: number },
): Promise<void> {
  await sql`
    UPDATE accounts SET username = ${name}, password_hash = ${passwordHash}, removed_at = coalesce(removed_at, ${at}) WHERE id = ${id}`;
}

/** The staff of a reseller, with removed accounts. */
export async function staffEverOf(sql: Sql, resellerId: number): Promise<{ id: number; username: string }[]> {
  return sql<{ id: number; username: string }>`
    SELECT a.id, a.username FROM staff f JOIN accounts a ON a.id = f.id WHERE f.owner_id = ${resellerId}`;
}

/** Erases what other webhooks were told of a reseller. */
export async function eraseDeliveriesAbout(sql: Sql, id: number): Promise<void> {
  const [first, last] = [`"resellerId":${id},`, `"resellerId":${id}}`];
  await sql`
    DELETE FROM webhook_deliveries
    WHERE data LIKE ${containing(first)} ESCAPE '\\' OR data LIKE ${containing(last)} ESCAPE '\\'`;
}

/** Erases the lines of imported files that name a reseller as owner. Returns how many. */
export async function eraseLinesNaming(sql: Sql, username: string): Promise<number> {
  const owner = containing(`"owner":"${username.toLowerCase()}"`);
  const rows = await sql`
    DELETE FROM import_lines WHERE lower(details) LIKE ${owner} ESCAPE '\\' RETURNING 1 AS erased`;
  return rows.length;
}

/** Deletes the account's blocks of devices. The audit log keeps their rows. */
export async function deleteBlocksOf(sql: Sql, resellerId: number): Promise<void> {
  await sql`DELETE FROM blocked_devices WHERE owner = ${resellerId}`;
}

/** How the audit log names an account and what is a reseller's. */
const targets = ["reseller", "staff", "credits of", "keys of"];

/** Where an entry's details have a username: the owner of a key or of staff, or the filters of a download. */
const namedIn = ["owner", "staffOf", "actor", "search"];

/**
 * Renames an account in the audit log, and erases the addresses that its calls and failed sign-ins came from. The name
 * may have been that of another account before and after. Returns how many rows it changed. The caller lifts the
 * triggers.
 */
export async function renameInAuditLog(sql: Sql, { id, from, to }: { id: number; from: string; to: string }) {
  const target = listOf(targets.map((what) => `${what} ${from}`));
  const detail = (field: string, name: string) => `"${field}":"${name}"`;
  let isNamed = part`target IN (${target})`;
  let details = part`details`;
  for (const field of namedIn) {
    isNamed = part`${isNamed} OR details LIKE ${containing(detail(field, from))} ESCAPE '\\'`;
    details = part`replace(${details}, ${detail(field, from)}, ${detail(field, to)})`;
  }
  const rows = await sql`
    UPDATE audit SET
      address = CASE WHEN actor_id = ${id} OR (action = 'sign_in_failed' AND target IN (${target})) THEN NULL
        ELSE address END,
      actor_username = CASE WHEN actor_id = ${id} THEN ${to} ELSE actor_username END,
      target = CASE WHEN target IN (${target}) THEN replace(target, ${` ${from}`}, ${` ${to}`}) ELSE target END,
      details = ${details}
    WHERE actor_id = ${id} OR (${isNamed}) AND at >= (SELECT a.created_at FROM accounts a WHERE a.id = ${id})
      AND at < coalesce((SELECT min(a.created_at) FROM accounts a
        WHERE lower(a.username) = ${from.toLowerCase()} AND a.id > ${id}), ${Number.MAX_SAFE_INTEGER})
    RETURNING id`;
  return rows.length;
}
