import type { Acts } from "../accounts/acts.ts";
import type { Caller } from "../accounts/caller.ts";
import { isoOf, type Now } from "../clock.ts";
import { creditsOf, tenthsOf } from "../credits.ts";
import type { Database, Sql } from "../database/database.ts";
import { isIdCursor, pageOf, pageOfRows } from "../database/paging.ts";
import { nonBlank } from "../field.ts";
import { type FieldProblem, Refusal, refuseProblems } from "../refusal.ts";
import { problemsInTokenOrder, type Token, type TokenListQuery } from "./schema.ts";
import * as store from "./store.ts";

export interface Tokens {
  /** Throws `INVALID` when the bonus is finer than a tenth. */
  issue(admin: Caller, credits: number | undefined): Promise<Token>;
  list(query: TokenListQuery): Promise<{ rows: Token[]; nextCursor: string | null }>;
  /** The username that it has become, or `null` while it is free. Asked before a password is hashed for nothing. Throws `TOKEN_UNKNOWN`. */
  usedBy(token: string): Promise<string | null>;
  /** Inside the transaction that registers the reseller. Throws `TOKEN_USED`. */
  redeem(sql: Sql, token: string, resellerId: number): Promise<store.RedeemedToken>;
}

/** `randomToken` answers at least 20 unguessable characters. */
export function createTokens({
  database,
  acts,
  now,
  randomToken,
}: {
  database: Database;
  acts: Acts;
  now: Now;
  randomToken: () => string;
}): Tokens {
  return {
    async issue(admin, credits = 0) {
      refuseProblems(problemsInTokenOrder({ credits }));
      const token = {
        token: randomToken(),
        creditsTenths: tenthsOf(credits) as number,
        createdAt: now(),
        createdBy: admin.id,
      };
      const id = await acts.carryOut(admin, async (sql) => {
        const result = await store.insertToken(sql, token);
        return { result, record: { action: "token_created", target: `token ${result}`, details: { credits } } };
      });
      return tokenView({ id, usedBy: null, ...token });
    },

    async list(query) {
      const page = pageOf(query, isIdCursor);
      const isUsed = query.status === "used" ? true : query.status === "available" ? false : null;
      const rows = await store.listTokens(database.scan, { isUsed, search: nonBlank(query.search) }, page);
      const shown = pageOfRows(rows, page.limit, (last) => [last.id]);
      return { rows: shown.rows.map(tokenView), nextCursor: shown.nextCursor };
    },

    async usedBy(token) {
      const found = await store.tokenNamed(database.read, token);
      if (!found) throw new Refusal("TOKEN_UNKNOWN", "This referral token does not exist.");
      return found.usedBy;
    },

    async redeem(sql, token, resellerId) {
      const redeemed = await store.takeToken(sql, token, resellerId, now());
      if (!redeemed) throw tokenUsed();
      return redeemed;
    },
  };
}

/** `more` is what else is wrong with the registration. */
export function tokenUsed(more: FieldProblem[] = []): Refusal {
  const message = "This referral token has already been used.";
  return new Refusal("TOKEN_USED", message, { errors: [{ path: "referralToken", message }, ...more] });
}

function tokenView(row: store.TokenRow): Token {
  return {
    id: row.id,
    token: row.token,
    createdAt: isoOf(row.createdAt),
    usedBy: row.usedBy,
    credits: creditsOf(row.creditsTenths),
    isUsed: row.usedBy !== null,
  };
}
