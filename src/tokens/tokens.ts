import type { AuditedChanges, Caller } from "../accounts/audited-changes.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { creditsOf, tenthsOf } from "../core/credits.ts";
import { nonBlank } from "../core/field.ts";
import { type FieldProblem, Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import { isIdCursor, listOf } from "../db/paging.ts";
import { problemsInTokenOrder, type Token, type TokenListQuery, type TokenOrder } from "./schema.ts";
import * as store from "./store.ts";

export type Tokens = ReturnType<typeof createTokens>;

type Dependencies = { database: Database; changes: AuditedChanges; now: Now; randomToken: () => string };

/** `randomToken` returns at least 20 unguessable characters. */
export function createTokens({ database, changes, now, randomToken }: Dependencies) {
  return {
    /** Throws `INVALID` if the bonus is finer than a tenth. */
    async issue(admin: Caller, order: TokenOrder = {}): Promise<Token> {
      refuseProblems(problemsInTokenOrder(order));
      const { credits = 0 } = order;
      const token = {
        token: randomToken(),
        creditsTenths: tenthsOf(credits) as number,
        createdAt: now(),
        createdBy: admin.id,
        label: nonBlank(order.label) ?? null,
      };
      const id = await changes.carryOut(admin, async ({ sql }) => {
        const result = await store.insertToken(sql, token);
        return { result, record: { action: "token_created", target: `token ${result}`, details: { credits } } };
      });
      return tokenView({ id, usedBy: null, ...token });
    },

    /** Deletes a free token. Throws `NOT_FOUND` or `TOKEN_USED`. */
    revoke: (admin: Caller, id: number) =>
      changes.carryOut(admin, async ({ sql }) => {
        const revoked = await store.deleteFreeToken(sql, id);
        if (!revoked && (await store.isToken(sql, id))) throw new Refusal("TOKEN_USED", usedSentence);
        if (!revoked) throw new Refusal("NOT_FOUND", "There is no token with this id.");
        const credits = creditsOf(revoked.creditsTenths);
        return { result: undefined, record: { action: "token_revoked", target: `token ${id}`, details: { credits } } };
      }),

    list: (admin: Caller, query: TokenListQuery) => tokenList.read(database, admin, filterOf(query), query),

    /**
     * The username that used the token, or null if it is free. Saves hashing a password in vain. Throws
     * `TOKEN_UNKNOWN`.
     */
    async usedBy(token: string): Promise<string | null> {
      const found = await store.tokenNamed(database.read, token);
      if (!found) throw tokenUnknown();
      return found.usedBy;
    },

    /** In the transaction that registers the reseller. Throws `TOKEN_USED` or `TOKEN_UNKNOWN`. */
    async redeem(sql: Sql, token: string, resellerId: number): Promise<store.RedeemedToken> {
      const redeemed = await store.takeToken(sql, token, resellerId, now());
      if (redeemed) return redeemed;
      // It was free when `usedBy` looked. Since then it was used by another person, or deleted by an admin.
      throw (await store.tokenNamed(sql, token)) ? tokenUsed() : tokenUnknown();
    },
  };
}

function filterOf({ status, search }: TokenListQuery): store.TokenFilter {
  return { isUsed: status === "used" ? true : status === "available" ? false : null, search: nonBlank(search) };
}

const usedSentence = "This referral token has already been used.";

function tokenUnknown(): Refusal {
  return new Refusal("TOKEN_UNKNOWN", "This referral token does not exist.");
}

/** `more` are the other problems of the registration. */
export function tokenUsed(more: FieldProblem[] = []): Refusal {
  return new Refusal("TOKEN_USED", usedSentence, {
    errors: [{ path: "referralToken", message: usedSentence }, ...more],
  });
}

export function tokenView(row: store.TokenRow): Token {
  return {
    id: row.id,
    token: row.token,
    createdAt: isoOf(row.createdAt),
    usedBy: row.usedBy,
    credits: creditsOf(row.creditsTenths),
    isUsed: row.usedBy !== null,
    label: row.label,
  };
}

/** Newest first. */
const tokenList = listOf({
  name: "tokens",
  isAfter: () => isIdCursor,
  rowsOf: store.listTokens,
  afterOf: ({ id }) => [id] as [number],
  view: tokenView,
});
export const tokensStream = tokenList.stream;
