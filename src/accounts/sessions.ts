import { msPerDay, msPerMinute, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { createRateLimit, type RateLimit } from "../rate-limit.ts";
import { Refusal } from "../refusal.ts";
import type { Passwords } from "./passwords.ts";
import { type LoginForm, type Role, type SessionUser, usernameCharactersMax } from "./schema.ts";
import * as store from "./store.ts";
import { suspendedSentence } from "./suspension.ts";

/** decisions.md 2: a session ends after 7 idle days, or 30 days after it was opened. */
const idleMsMax = 7 * msPerDay;
export const sessionMsMax = 30 * msPerDay;

/** Being seen is written at most this often, because every write waits for the disk. */
const touchEveryMs = 5 * msPerMinute;

/** decisions.md 7: wrong passwords per account, from addresses that it never signed in from. */
const wrongPasswordsMax = 10;
const wrongPasswordsWindowMs = 15 * msPerMinute;

export interface Sessions {
  /** Throws `WRONG_CREDENTIALS`, `SUSPENDED`, `TOO_MANY_TRIES` or `BUSY`. */
  signIn(role: Role, form: LoginForm, address: string): Promise<{ sessionId: string; user: SessionUser }>;
  signOut(sessionId: string): Promise<void>;
  /** Who is signed in by this session now; `null` once it ended, for whatever reason. */
  viewer(sessionId: string): Promise<SessionUser | null>;
}

export function createSessions(given: {
  database: Database;
  passwords: Passwords;
  now: Now;
  monotonicMs: () => number;
  rateLimits: boolean;
  randomId: () => string;
}): Sessions {
  const { database, passwords, now, randomId } = given;
  const wrongPasswords = createRateLimit({
    triesMax: wrongPasswordsMax,
    windowMs: wrongPasswordsWindowMs,
    monotonicMs: given.monotonicMs,
    enabled: given.rateLimits,
  });

  return {
    async signIn(role, form, address) {
      const found = await store.accountForSignIn(database, role, form.username, address);
      // A name longer than any account's is counted by its beginning, so that it cannot fill the memory.
      const person = `${role} ${form.username.slice(0, usernameCharactersMax + 1).toLowerCase()}`;
      const account = await accountWithPassword(passwords, wrongPasswords, found, person, form.password);
      if (account.isActive === 0) throw new Refusal("SUSPENDED", suspendedSentence);
      const sessionId = randomId();
      const opened = await database.transaction(async (sql) => {
        await store.forgetStaleSessions(sql, now() - idleMsMax);
        await store.rememberAddress(sql, account.id, address, now());
        return store.openSession(sql, sessionId, account, now());
      });
      if (!opened) {
        throw new Refusal("WRONG_CREDENTIALS", "The account changed while you were signing in. Please try again.");
      }
      return { sessionId, user: { id: account.id, username: account.username, role: account.role } };
    },

    async signOut(sessionId) {
      await database.transaction((sql) => store.closeSession(sql, sessionId));
    },

    async viewer(sessionId) {
      const at = now();
      const session = await store.liveSession(database, sessionId, at - idleMsMax, at - sessionMsMax);
      if (!session) return null;
      if (at - session.lastSeenAt > touchEveryMs) {
        // A full disk must not keep people from reading: the next request tries again.
        await database.transaction((sql) => store.touchSession(sql, sessionId, at)).catch(() => {});
      }
      return { id: session.id, username: session.username, role: session.role };
    },
  };
}

/**
 * Counts the try before the password is looked at, so that parallel guesses cannot pass together, and takes it back
 * when it was right. Unknown names are counted and timed like known ones, so that nobody learns which names exist.
 */
async function accountWithPassword(
  passwords: Passwords,
  wrongPasswords: RateLimit,
  account: store.SignInRow | null,
  person: string,
  password: string,
): Promise<store.SignInRow> {
  const counted = account?.knownAddress !== 1;
  const waitSeconds = counted ? wrongPasswords.take(person) : null;
  if (waitSeconds !== null) {
    throw new Refusal("TOO_MANY_TRIES", "Too many wrong passwords. Please try again later.", {
      retryAfterSeconds: waitSeconds,
    });
  }
  const matched = await passwords.matches(password, account?.passwordHash ?? null).catch((busy) => {
    // Nobody looked at the password. Were it counted, a flood of strangers' tries would lock the owner out.
    if (counted) wrongPasswords.giveBack(person);
    throw busy;
  });
  if (!matched || !account) throw new Refusal("WRONG_CREDENTIALS", "Invalid username or password");
  if (counted) wrongPasswords.giveBack(person);
  return account;
}
