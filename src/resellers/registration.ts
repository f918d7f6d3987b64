import { insertAccount, nameTaken, usernameTaken } from "../accounts/account-store.ts";
import { type AuditedChanges, happened } from "../accounts/audited-changes.ts";
import type { Passwords } from "../accounts/passwords/passwords.ts";
import { full, type RegistrationForm, type SessionUser } from "../accounts/schema.ts";
import { msPerHour } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { normalCasedText } from "../core/key-text.ts";
import { Refusal, type RefusalCode } from "../core/refusal.ts";
import { type CreateRateLimit, refuseAfter } from "../http/rate-limit.ts";
import { type Tokens, tokenUsed } from "../tokens/tokens.ts";
import { give } from "./charge.ts";
import { insertReseller } from "./store.ts";

/** rules.md: Limits. Per address and hour. A wrong token counts too, so that tokens cannot be guessed. */
const registrationsMax = 5;
const registrationsWindowMs = msPerHour;

/**
 * The part of a try that is given back after a refusal. A taken username costs half a try, because usernames can be
 * probed with a free token. A full disk costs nothing. `BUSY` costs a try, because each one may push another out of the
 * queue for hashing.
 */
const givenBackAfter: Partial<Record<RefusalCode, number>> = { USERNAME_TAKEN: 0.5, STORAGE_UNAVAILABLE: 1 };

export type Registration = ReturnType<typeof createRegistration>;

interface Dependencies {
  changes: AuditedChanges;
  passwords: Passwords;
  tokens: Tokens;
  createRateLimit: CreateRateLimit;
}

export function createRegistration({ changes, passwords, tokens, createRateLimit }: Dependencies) {
  const tries = createRateLimit({ name: "registrations", triesMax: registrationsMax, windowMs: registrationsWindowMs });

  return {
    /**
     * Opens a reseller's account with a referral token. Throws `TOKEN_UNKNOWN`, `TOKEN_USED`, `USERNAME_TAKEN`,
     * `TOO_MANY_TRIES` or `BUSY`; then there is no account, and the token is still free.
     */
    async register(form: RegistrationForm, address: string): Promise<SessionUser> {
      const sentence = "Too many registrations from your address. Please try again later.";
      refuseAfter(await tries.take(address), sentence);
      try {
        return await openAccount(form, address);
      } catch (error) {
        const givenBack = error instanceof Refusal ? givenBackAfter[error.code] : undefined;
        if (givenBack !== undefined) await tries.giveBack(address, givenBack);
        throw error;
      }
    },
  };

  async function openAccount(form: RegistrationForm, address: string): Promise<SessionUser> {
    const token = normalCasedText(form.referralToken);
    const usedBy = await tokens.usedBy(token);
    if (usedBy !== null) throw tokenUsed(isSameName(usedBy, form.username) ? [nameTaken] : []);
    // Whether the name is taken is decided after this. A full queue refuses free and taken names alike.
    const passwordHash = await passwords.hash(form.password, { lane: "strangers", person: address });
    return changes.carryOut({ address }, async ({ sql }, at) => {
      const account = { role: "reseller" as const, username: form.username, passwordHash, at };
      const id = await insertAccount(sql, account);
      if (id === null) throw usernameTaken();
      await insertReseller(sql, id);
      const { id: tokenId, creditsTenths } = await tokens.redeem(sql, token, id);
      const bonus = { reason: "token_bonus" as const, gives: { tenths: creditsTenths } };
      await give(sql, { ...bonus, resellerId: id, madeBy: id, at });
      const user = { id, username: form.username, role: "reseller" as const, ...full };
      return happened("registered", { reseller: user, tokenId, credits: creditsOf(creditsTenths) }, user);
    });
  }
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
