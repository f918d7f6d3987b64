import type { Passwords } from "../accounts/passwords.ts";
import type { RegistrationForm, SessionUser } from "../accounts/schema.ts";
import { insertAccount, isUsernameTaken } from "../accounts/store.ts";
import { msPerHour, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { createRateLimit } from "../rate-limit.ts";
import { Refusal, type RefusalCode } from "../refusal.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { changeBalance, insertReseller } from "./store.ts";

/** decisions.md 7: registrations per address and hour. A wrong token counts too, so that tokens cannot be guessed. */
const registrationsMax = 5;
const registrationsWindowMs = msPerHour;

/** Refusals that are no guess at a token: whoever chooses another name, or meets a busy server, has not used up a try. */
const noGuess: ReadonlySet<RefusalCode> = new Set(["USERNAME_TAKEN", "BUSY", "STORAGE_UNAVAILABLE"]);

export interface Registration {
  /**
   * Makes a reseller's account of a referral token. Throws `TOKEN_UNKNOWN`, `TOKEN_USED`, `USERNAME_TAKEN`,
   * `TOO_MANY_TRIES` or `BUSY`; then there is no account, and the token is as it was.
   */
  register(form: RegistrationForm, address: string): Promise<SessionUser>;
}

export function createRegistration(given: {
  database: Database;
  passwords: Passwords;
  tokens: Tokens;
  now: Now;
  monotonicMs: () => number;
  rateLimits: boolean;
}): Registration {
  const { database, passwords, tokens, now } = given;
  const tries = createRateLimit({
    triesMax: registrationsMax,
    windowMs: registrationsWindowMs,
    monotonicMs: given.monotonicMs,
    enabled: given.rateLimits,
  });

  return {
    async register(form, address) {
      const waitSeconds = tries.take(address);
      if (waitSeconds !== null) {
        throw new Refusal("TOO_MANY_TRIES", "Too many registrations from your address. Please try again later.", {
          retryAfterSeconds: waitSeconds,
        });
      }
      try {
        return await openAccount(form);
      } catch (error) {
        if (error instanceof Refusal && noGuess.has(error.code)) tries.giveBack(address);
        throw error;
      }
    },
  };

  async function openAccount(form: RegistrationForm): Promise<SessionUser> {
    const token = form.referralToken.trim();
    await tokens.refuseUnredeemable(token);
    if (await isUsernameTaken(database, form.username)) throw usernameTaken();
    const passwordHash = await passwords.hash(form.password);
    return database.transaction(async (sql) => {
      const at = now();
      const account = { role: "reseller" as const, username: form.username, passwordHash, createdAt: at };
      const id = await insertAccount(sql, account);
      if (id === null) throw usernameTaken();
      await insertReseller(sql, id);
      const bonusTenths = await tokens.redeem(sql, token, id);
      if (bonusTenths > 0) {
        await changeBalance(sql, {
          resellerId: id,
          amountTenths: bonusTenths,
          reason: "token_bonus",
          madeBy: id,
          at,
        });
      }
      return { id, username: form.username, role: "reseller" as const };
    });
  }
}

function usernameTaken(): Refusal {
  return new Refusal("USERNAME_TAKEN", "This username is already taken.");
}
