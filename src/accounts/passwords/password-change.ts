import { Refusal } from "../../core/refusal.ts";
import type { Sql } from "../../db/contract.ts";
import type { PasswordForm } from "../account-schema.ts";
import { changePassword, forgetAddresses, setPassword } from "../account-store.ts";
import { type AuditedChanges, accountTarget, sessionsEnded } from "../audited-changes.ts";
import type { Caller } from "../caller.ts";
import { endSessionsOf } from "../store.ts";
import type { Passwords } from "./passwords.ts";
import { ownPasswordWrong, type WrongPasswords } from "./wrong-passwords.ts";

/** One's own password. Who forgot it is helped by `resetPassword`. */
export interface PasswordChange {
  /**
   * Ends every other session of the caller's, and forgets every address but the one that this came from. Throws `WRONG_CREDENTIALS`,
   * `TOO_MANY_TRIES` or `BUSY`.
   */
  change(caller: Caller, form: PasswordForm): Promise<void>;
}

export function createPasswordChange({
  changes,
  passwords,
  wrongPasswords,
}: {
  changes: AuditedChanges;
  passwords: Passwords;
  wrongPasswords: WrongPasswords;
}): PasswordChange {
  return {
    change: (caller, { currentPassword, newPassword }) =>
      wrongPasswords.afterRight(
        caller,
        currentPassword,
        async ({ id: accountId, passwordHash: from }) => {
          const to = await passwords.hash(newPassword, { lane: "known", person: String(accountId) });
          await changes.carryOut(caller, async ({ sql }) => {
            if (!(await changePassword(sql, { accountId, from, to }))) throw changedMeanwhile();
            await forgetAddresses(sql, { accountId, except: caller.address });
            const ended = await endSessionsOf(sql, { accountId, exceptId: caller.sessionId });
            const record = {
              action: "password_changed",
              target: accountTarget(caller),
              details: { sessions: ended.length },
            } as const;
            return { result: undefined, record, events: sessionsEnded(ended) };
          });
        },
        ownPasswordWrong,
      ),
  };
}

/**
 * Inside the transaction of whoever may: sets another's password, ends the sessions and forgets the addresses of the account. Answers the
 * ids of the sessions.
 */
export async function resetPassword(
  sql: Sql,
  { accountId, passwordHash }: { accountId: number; passwordHash: string },
): Promise<number[]> {
  await setPassword(sql, { accountId, passwordHash });
  await forgetAddresses(sql, { accountId });
  return endSessionsOf(sql, { accountId });
}

function changedMeanwhile(): Refusal {
  return new Refusal("WRONG_CREDENTIALS", "Your password was changed meanwhile. Please try again.");
}
