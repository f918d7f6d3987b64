import { firstOf, hasRows, type Sql } from "../../db/contract.ts";

export interface TwoFactorRow {
  sealedSecret: string;
  /** Null until a code of it was confirmed. */
  enabledAt: number | null;
}

export async function twoFactorOf(sql: Sql, accountId: number): Promise<TwoFactorRow | null> {
  return firstOf(sql<TwoFactorRow>`
    SELECT sealed_secret AS "sealedSecret", enabled_at AS "enabledAt" FROM two_factor WHERE account_id = ${accountId}`);
}

export interface SealedRow extends TwoFactorRow {
  accountId: number;
}

/** Without those that are lost. */
export async function allSealed(sql: Sql): Promise<SealedRow[]> {
  return sql`
    SELECT account_id AS "accountId", sealed_secret AS "sealedSecret", enabled_at AS "enabledAt"
    FROM two_factor WHERE is_lost = 0`;
}

export async function markLost(sql: Sql, accountId: number): Promise<void> {
  await sql`UPDATE two_factor SET is_lost = 1 WHERE account_id = ${accountId}`;
}

export async function replaceSealed(sql: Sql, accountId: number, sealedSecret: string): Promise<void> {
  await sql`UPDATE two_factor SET sealed_secret = ${sealedSecret} WHERE account_id = ${accountId}`;
}

/** Stores a new secret, or replaces one that was never confirmed. Returns false if two-factor is on. */
export async function beginTwoFactor(sql: Sql, accountId: number, sealedSecret: string): Promise<boolean> {
  return hasRows(sql`
    INSERT INTO two_factor (account_id, sealed_secret) VALUES (${accountId}, ${sealedSecret})
    ON CONFLICT (account_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, is_lost = 0
    WHERE two_factor.enabled_at IS NULL
    RETURNING account_id`);
}

/** Turns two-factor on by the code of a step, which is used up. */
export async function enableTwoFactor(
  sql: Sql,
  { accountId, at, step }: { accountId: number; at: number; step: number },
): Promise<void> {
  await sql`UPDATE two_factor SET enabled_at = ${at}, used_step = ${step} WHERE account_id = ${accountId}`;
}

/** Uses up the code of a step. Returns false if that one, or a later one, was used before. */
export async function spendStep(sql: Sql, { accountId, step }: { accountId: number; step: number }): Promise<boolean> {
  return hasRows(sql`
    UPDATE two_factor SET used_step = ${step} WHERE account_id = ${accountId} AND used_step < ${step} RETURNING account_id`);
}

/** Removes the recovery codes too. Returns whether two-factor was on. */
export async function removeTwoFactor(sql: Sql, accountId: number): Promise<boolean> {
  const [row] = await sql<{ enabledAt: number | null }>`
    DELETE FROM two_factor WHERE account_id = ${accountId} RETURNING enabled_at AS "enabledAt"`;
  return row !== undefined && row.enabledAt !== null;
}

export async function insertRecoveryCode(sql: Sql, accountId: number, codeHash: string): Promise<void> {
  await sql`INSERT INTO recovery_codes (account_id, code_hash) VALUES (${accountId}, ${codeHash})`;
}

/** Erases a recovery code. Returns false if it does not exist or was used before. */
export async function spendRecoveryCode(sql: Sql, accountId: number, codeHash: string): Promise<boolean> {
  return hasRows(sql`
    DELETE FROM recovery_codes WHERE account_id = ${accountId} AND code_hash = ${codeHash} RETURNING account_id`);
}

export async function countRecoveryCodes(sql: Sql, accountId: number): Promise<number> {
  return (await sql`SELECT 1 FROM recovery_codes WHERE account_id = ${accountId}`).length;
}
