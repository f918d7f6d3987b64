import { tenthsOf } from "../core/credits.ts";
import { Refusal } from "../core/refusal.ts";
import { foldedText } from "../core/text.ts";
import { containing, part, type Sql } from "../db/contract.ts";
import { type Owner, ownedBy } from "./store.ts";

/* What programs call their orders and extensions, which share these ids (rules.md: Retries). */

export type External = ReturnType<typeof externalOf>;

/**
 * The id and the hash of a request, which does not include the cost that its caller expected. The same request has the
 * same hash, whatever the order of its fields.
 */
export function externalOf(request: { externalId?: string }) {
  const { externalId = null } = request;
  if (externalId === null) return { externalId, requestHash: null };
  const fields = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return { externalId, requestHash: new Bun.CryptoHasher("sha256").update(JSON.stringify(fields)).digest("hex") };
}

/** Whether this account has made the same request before. Throws `EXTERNAL_ID_REUSED` if its id names another one. */
export async function isRepeated(sql: Sql, madeBy: number, { externalId, requestHash }: External): Promise<boolean> {
  if (externalId === null) return false;
  const [earlier] = await sql<{ what: string; requestHash: string }>`
    SELECT 'order' AS what, o.request_hash AS "requestHash" FROM orders o
    WHERE o.made_by = ${madeBy} AND o.external_id = ${externalId}
    UNION ALL SELECT 'extension', e.request_hash FROM named_extensions e
    WHERE e.made_by = ${madeBy} AND e.external_id = ${externalId}`;
  if (earlier === undefined || earlier.requestHash === requestHash) return earlier !== undefined;
  throw new Refusal("EXTERNAL_ID_REUSED", `This externalId was already used for another ${earlier.what}.`);
}

/** What an extension cost and left, in tenths of a credit. */
export async function paidForNamed(sql: Sql, madeBy: number, externalId: string) {
  const [row] = await sql<{ costTenths: number; balanceTenths: number }>`
    SELECT e.cost_tenths AS "costTenths", e.balance_tenths AS "balanceTenths" FROM named_extensions e
    WHERE e.made_by = ${madeBy} AND e.external_id = ${externalId}`;
  return row as { costTenths: number; balanceTenths: number };
}

type NamedExtension = External & { madeBy: number; keyId: number; paid: { cost: number; credits: number } };

/** Remembers an extension after it was charged, in the same transaction. The key's newest ledger entry is its own. */
export async function nameExtension(sql: Sql, { madeBy, keyId, externalId, requestHash, paid }: NamedExtension) {
  if (externalId === null) return;
  const costTenths = tenthsOf(paid.cost);
  await sql`
    INSERT INTO named_extensions (made_by, external_id, external_id_folded, request_hash, key_id, ledger_id, cost_tenths,
      balance_tenths)
    VALUES (${madeBy}, ${externalId}, ${foldedText(externalId)}, ${requestHash}, ${keyId},
      ${costTenths === 0 ? null : part`(SELECT max(l.id) FROM credit_ledger l WHERE l.key_id = ${keyId})`}, ${costTenths},
      ${tenthsOf(paid.credits)})`;
}

/** Keys of which an extension's id contains this text, the latest extension first. A key may appear twice. */
export async function keysNamed(sql: Sql, owner: Owner, text: string, rowsMax: number): Promise<number[]> {
  const rows = await sql<{ keyId: number }>`
    SELECT e.key_id AS "keyId" FROM named_extensions e JOIN license_keys k ON k.id = e.key_id
    WHERE ${ownedBy(owner)} AND e.external_id_folded LIKE ${containing(foldedText(text))} ESCAPE '\\'
    ORDER BY e.id DESC LIMIT ${rowsMax}`;
  return rows.map(({ keyId }) => keyId);
}
