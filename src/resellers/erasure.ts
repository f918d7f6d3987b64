import { deleteShopLinksOf, deleteWebhooksOf, forgetAddresses, userNamed } from "../accounts/account-store.ts";
import type { Done } from "../accounts/audited-changes.ts";
import { endSessionsOf } from "../accounts/store.ts";
import { removeTwoFactor } from "../accounts/two-factor/two-factor-store.ts";
import { OperatorError } from "../core/operator-error.ts";
import type { Sql } from "../db/contract.ts";
import { accountTarget } from "../facts/account-facts.ts";
import {
  deleteBlocksOf,
  eraseAccount,
  eraseDeliveriesAbout,
  eraseLinesNaming,
  renameInAuditLog,
  staffEverOf,
} from "./erasure-store.ts";
import { resellerById } from "./store.ts";

interface Erased {
  username: string;
  /** What the account is called from now on. */
  name: string;
  /** How many rows are changed or deleted, by table. */
  rows: Map<string, number>;
}

/** No password has this hash. Its form is that of the others, because a restore checks it. */
const noPasswordHash = `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(43)}$${"A".repeat(43)}`;

/**
 * Erases the personal data of a suspended reseller and of its staff, in a transaction for which the caller has lifted the
 * triggers of append-only tables: username, password, two-factor, webhooks, shop links, sessions and addresses, also in the audit log and in reports of imports. Keys, orders, notes
 * and the ledger stay. No server may be running: it could still write the failed sign-ins that it has counted under the
 * name. Throws `OperatorError`.
 */
export async function eraseReseller(
  sql: Sql,
  { username: given, at }: { username: string; at: number },
): Promise<Done<Erased>> {
  const account = await userNamed(sql, { username: given, role: "reseller" });
  if (!account) throw new OperatorError(`There is no reseller ${given}.`);
  const { id, username } = account;
  if ((await resellerById(sql, id))?.isActive !== 0) {
    throw new OperatorError(`${username} is not suspended. Suspend the reseller first.`);
  }
  await deleteWebhooksOf(sql, id);
  await deleteShopLinksOf(sql, id);
  await deleteBlocksOf(sql, id);
  await eraseDeliveriesAbout(sql, id);
  const rows = new Map<string, number>();
  for (const each of [{ id, username }, ...(await staffEverOf(sql, id))]) {
    for (const [table, count] of await eraseOne(sql, each, at)) rows.set(table, count + (rows.get(table) ?? 0));
  }
  rows.set("import_lines", await eraseLinesNaming(sql, username));
  const name = erasedName(id);
  const target = accountTarget({ role: "reseller", username: name });
  return {
    result: { username, name, rows },
    record: { action: "reseller_erased", target, details: { resellerId: id } },
  };
}

function erasedName(id: number): string {
  return `erased-${id}`;
}

/** Returns how many rows are changed or deleted, by table. */
async function eraseOne(sql: Sql, { id, username }: { id: number; username: string }, at: number) {
  const addresses = await forgetAddresses(sql, id);
  const sessions = await endSessionsOf(sql, { accountId: id });
  await removeTwoFactor(sql, id);
  const name = erasedName(id);
  const entries = await renameInAuditLog(sql, { id, from: username, to: name });
  await eraseAccount(sql, { id, name, passwordHash: noPasswordHash, at });
  return [
    ["accounts", 1],
    ["audit", entries],
    ["known_addresses", addresses],
    ["sessions", sessions.length],
  ] as const;
}
