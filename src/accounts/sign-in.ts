import type { Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { Origin } from "../http/peer.ts";
import { Refusal } from "../refusal.ts";
import { rememberAddress } from "./account-store.ts";
import type { LoginForm, Role, SessionUser } from "./schema.ts";
import { endSessionWith, endStaleSessions, openSession } from "./session-store.ts";
import { liveSince, type SessionsEnded } from "./sessions.ts";
import { suspendedSentence } from "./suspension.ts";
import type { TwoFactor } from "./two-factor.ts";
import { knownSince, type WrongPasswords } from "./wrong-passwords.ts";

/** Of what a browser says of itself, as much is kept. */
const userAgentCharactersMax = 256;

/** Somebody at the login, in the role that the path names. */
export interface SignInAttempt {
  role: Role;
  form: LoginForm;
  origin: Origin;
  userAgent: string | null;
  /** What the cookie carried that the sign-in came with: that session ends. */
  sessionSecret: string | null;
}

export interface SignIn {
  /**
   * Opens a session, and answers what its cookie carries. Throws `WRONG_CREDENTIALS`, `SECOND_FACTOR_NEEDED`, `WRONG_SECOND_FACTOR`,
   * `SUSPENDED`, `TOO_MANY_TRIES` or `BUSY`.
   */
  signIn(attempt: SignInAttempt): Promise<{ sessionSecret: string; user: SessionUser }>;
}

/** `randomSecret` answers a text that nobody guesses. */
export function createSignIn({
  database,
  wrongPasswords,
  twoFactor,
  sessionsEnded,
  now,
  randomSecret,
}: {
  database: Database;
  wrongPasswords: WrongPasswords;
  twoFactor: TwoFactor;
  sessionsEnded: SessionsEnded;
  now: Now;
  randomSecret: () => string;
}): SignIn {
  return {
    async signIn({ role, form, origin: { address }, userAgent, sessionSecret: endedSecret }) {
      return wrongPasswords.afterRight({ role, username: form.username, address }, form.password, async (account) => {
        const at = now();
        const secret = randomSecret();
        const session = {
          ...{ secret, accountId: account.id, passwordHash: account.passwordHash, at, address },
          userAgent: userAgent?.slice(0, userAgentCharactersMax) ?? null,
        };
        const { isOpened, ended } = await database.transaction(async (sql) => {
          // The code is used up also where the account is suspended: it is good once.
          await twoFactor.demand(sql, account.id, form.code);
          if (account.isActive === 0 || !(await openSession(sql, session))) return { isOpened: false, ended: [] };
          await rememberAddress(sql, { accountId: account.id, address, at, knownSince: knownSince(at) });
          const stale = await endStaleSessions(sql, liveSince(at));
          return {
            isOpened: true,
            ended: endedSecret ? [...stale, ...(await endSessionWith(sql, endedSecret))] : stale,
          };
        });
        if (account.isActive === 0) throw new Refusal("SUSPENDED", suspendedSentence);
        if (!isOpened) {
          throw new Refusal("WRONG_CREDENTIALS", "The account changed while you were signing in. Please try again.");
        }
        sessionsEnded(ended);
        return { sessionSecret: secret, user: { id: account.id, username: account.username, role: account.role } };
      });
    },
  };
}
