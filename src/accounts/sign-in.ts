import type { Clock } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Origin } from "../http/request.ts";
import { type AccountRow, rememberAddress, userOf } from "./account-store.ts";
import { type AuditedChanges, happened, unchanged } from "./audited-changes.ts";
import type { FailedSignIns } from "./failed-sign-ins.ts";
import { knownSince, signInWrong, type WrongPasswords } from "./passwords/wrong-passwords.ts";
import type { LoginForm, Role, SessionUser } from "./schema.ts";
import { liveSince } from "./sessions.ts";
import { endOldestSessions, endSessionWith, endStaleSessions, openSession } from "./store.ts";
import { suspendedSentence, switchedOffSentence } from "./suspension.ts";
import type { TwoFactor } from "./two-factor/two-factor.ts";

const userAgentCharactersMax = 256;

interface SignInAttempt {
  role: Role;
  form: LoginForm;
  origin: Origin;
  userAgent: string | null;
  /** From the cookie that the request carried: this session ends. */
  sessionSecret: string | null;
  /** From the browser's device cookie, if it has signed in before. */
  device: string | null;
}

interface SignedIn {
  sessionSecret: string;
  device: string;
  user: SessionUser;
}

export type SignIn = ReturnType<typeof createSignIn>;

interface Dependencies {
  changes: AuditedChanges;
  failedSignIns: FailedSignIns;
  wrongPasswords: WrongPasswords;
  twoFactor: TwoFactor;
  clock: Pick<Clock, "now" | "retentionNow">;
  randomSecret: () => string;
  newDevice: () => string;
}

export function createSignIn({
  changes,
  failedSignIns,
  wrongPasswords,
  twoFactor,
  clock,
  randomSecret,
  newDevice,
}: Dependencies) {
  return {
    /**
     * Opens a session and returns its secret and the browser's device, which the cookies carry. Throws
     * `WRONG_CREDENTIALS`, `SECOND_FACTOR_NEEDED`, `WRONG_SECOND_FACTOR`, `SUSPENDED`, `SWITCHED_OFF`, `TOO_MANY_TRIES` or
     * `BUSY`.
     */
    async signIn(attempt: SignInAttempt): Promise<SignedIn> {
      const { role, form, origin, device } = attempt;
      const claimant = { role, username: form.username, address: origin.address, device };
      try {
        const work = (account: AccountRow) => openedFor(account, attempt);
        return await wrongPasswords.afterRight(claimant, form.password, signInWrong, work);
      } catch (error) {
        failedSignIns.count(error, claimant);
        throw error;
      }
    },
  };

  async function openedFor(
    account: AccountRow,
    { form, origin, userAgent, sessionSecret: endedSecret, device: knownDevice }: SignInAttempt,
  ): Promise<SignedIn> {
    const at = clock.now();
    const forgottenBy = clock.retentionNow();
    const secret = randomSecret();
    const device = knownDevice ?? newDevice();
    const { address } = origin;
    const session = { secret, at, address, userAgent: userAgent?.slice(0, userAgentCharactersMax) ?? null };
    const user = userOf(account);
    const isOpened = await changes.carryOut(origin, async ({ sql }) => {
      // This uses the code up even if the account is suspended.
      await twoFactor.demand(sql, account.id, form.code);
      if (account.isActive === 0 || account.isOff === 1 || !(await openSession(sql, account, session))) {
        return unchanged(false);
      }
      const known = { accountId: account.id, at, knownSince: knownSince(forgottenBy) };
      await rememberAddress(sql, { ...known, address });
      await rememberAddress(sql, { ...known, address: device });
      const ended = await endStaleSessions(sql, liveSince(forgottenBy));
      if (endedSecret) ended.push(...(await endSessionWith(sql, endedSecret)));
      ended.push(...(await endOldestSessions(sql, account.id)));
      return happened("signed_in", { account: user, ended }, true);
    });
    if (account.isActive === 0) throw new Refusal("SUSPENDED", suspendedSentence);
    if (account.isOff === 1) throw new Refusal("SWITCHED_OFF", switchedOffSentence);
    if (!isOpened) {
      throw new Refusal("WRONG_CREDENTIALS", "The account changed while you were signing in. Please try again.");
    }
    return { sessionSecret: secret, device, user };
  }
}
