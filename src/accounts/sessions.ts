import { msPerDay, msPerMinute, type Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import type { LoginForm, Role, SessionUser } from "./schema.ts";
import * as store from "./store.ts";
import { suspendedSentence } from "./suspension.ts";
import type { WrongPasswords } from "./wrong-passwords.ts";

/** decisions.md 2: a session ends after 7 idle days, or 30 days after it was opened. */
const idleMsMax = 7 * msPerDay;
export const sessionMsMax = 30 * msPerDay;

/** Being seen is written at most this often, because every write waits for the disk. */
const touchEveryMs = 5 * msPerMinute;

/** rules.md: Wrong passwords. How long an address is known after the account's last sign-in from it. */
const addressKnownMs = 90 * msPerDay;

export interface Sessions {
  /** Throws `WRONG_CREDENTIALS`, `SUSPENDED`, `TOO_MANY_TRIES` or `BUSY`. */
  signIn(role: Role, form: LoginForm, address: string): Promise<{ sessionId: string; user: SessionUser }>;
  signOut(sessionId: string): Promise<void>;
  /** Who is signed in by this session now; `null` once it ended, for whatever reason. */
  viewer(sessionId: string): Promise<SessionUser | null>;
}

export function createSessions({
  database,
  wrongPasswords,
  now,
  randomId,
}: {
  database: Database;
  wrongPasswords: WrongPasswords;
  now: Now;
  randomId: () => string;
}): Sessions {
  return {
    async signIn(role, form, address) {
      const at = now();
      const knownSince = at - addressKnownMs;
      const found = await store.accountForSignIn(database.read, { role, username: form.username, address, knownSince });
      const isKnownAddress = found?.knownAddress === 1;
      const claim = { password: form.password, hash: found?.passwordHash ?? null };
      return wrongPasswords.afterRight({ role, username: form.username, address, isKnownAddress }, claim, async () => {
        const account = found as store.SignInRow;
        if (account.isActive === 0) throw new Refusal("SUSPENDED", suspendedSentence);
        const sessionId = randomId();
        const opened = await database.transaction(async (sql) => {
          await store.forgetStaleSessions(sql, at - idleMsMax);
          await store.rememberAddress(sql, { accountId: account.id, address, at, knownSince });
          return store.openSession(sql, { id: sessionId, account, at });
        });
        if (!opened) {
          throw new Refusal("WRONG_CREDENTIALS", "The account changed while you were signing in. Please try again.");
        }
        return { sessionId, user: { id: account.id, username: account.username, role: account.role } };
      });
    },

    async signOut(sessionId) {
      await database.transaction((sql) => store.closeSession(sql, sessionId));
    },

    async viewer(sessionId) {
      const at = now();
      const session = await store.liveSession(database.read, {
        id: sessionId,
        seenAfter: at - idleMsMax,
        createdAfter: at - sessionMsMax,
      });
      if (!session) return null;
      if (at - session.lastSeenAt > touchEveryMs) {
        // A full disk must not keep people from reading: the next request tries again.
        await database.transaction((sql) => store.touchSession(sql, sessionId, at)).catch(() => {});
      }
      return { id: session.id, username: session.username, role: session.role };
    },
  };
}
