import type { Sql } from "../db/contract.ts";

export interface SigningKeyRow {
  kid: string;
  publicKey: string;
  state: "next" | "active" | "previous" | "retired";
  /** The private half; null once the key is retired. */
  sealedSecret: string | null;
}

/** The oldest first. */
export function allSigningKeys(sql: Sql): Promise<SigningKeyRow[]> {
  return sql<SigningKeyRow>`
    SELECT kid, public_key AS "publicKey", state, sealed_secret AS "sealedSecret" FROM signing_keys ORDER BY id`;
}

export async function activeSigningKey(sql: Sql): Promise<SigningKeyRow | null> {
  return (await allSigningKeys(sql)).find(({ state }) => state === "active") ?? null;
}

export async function insertSigningKey(
  sql: Sql,
  { kid, publicKey, state, sealedSecret }: SigningKeyRow,
): Promise<void> {
  await sql`
    INSERT INTO signing_keys (kid, public_key, state, sealed_secret)
    VALUES (${kid}, ${publicKey}, ${state}, ${sealedSecret})`;
}

/** There is one active key: the one that was becomes `previous`. */
export async function activateSigningKey(sql: Sql, kid: string): Promise<void> {
  await sql`UPDATE signing_keys SET state = 'previous' WHERE state = 'active'`;
  await sql`UPDATE signing_keys SET state = 'active' WHERE kid = ${kid}`;
}

export async function retireSigningKey(sql: Sql, kid: string): Promise<void> {
  await sql`UPDATE signing_keys SET state = 'retired', sealed_secret = NULL WHERE kid = ${kid}`;
}

export async function replaceSealedKey(sql: Sql, kid: string, sealedSecret: string): Promise<void> {
  await sql`UPDATE signing_keys SET sealed_secret = ${sealedSecret} WHERE kid = ${kid}`;
}
