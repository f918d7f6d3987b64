import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../core/refusal.ts";
import type { Sql, Unit } from "../db/contract.ts";
import type { PasswordForm } from "./account-schema.ts";
import { changePassword, forgetAddresses, forgetAllButDevices, type Place, setPassword } from "./account-store.ts";
import { deleteApiKeysOf } from "./api-keys/api-key-store.ts";
import { type AuditedChanges, happened, type PersonCaller } from "./audited-changes.ts";
import type { Passwords } from "./passwords/passwords.ts";
import { ownPasswordWrong, type WrongPasswords } from "./passwords/wrong-passwords.ts";
import { endSessionsOf, switchOffShopLinksOf } from "./store.ts";

export type PasswordChange = ReturnType<typeof createPasswordChange>;

type Dependencies = {
  changes: AuditedChanges;
  passwords: Passwords;
  wrongPasswords: WrongPasswords;
  dataFolder: string;
};

export function createPasswordChange({ changes, passwords, wrongPasswords, dataFolder }: Dependencies) {
  return {
    /**
     * Changes the caller's own password, ends the caller's other sessions and forgets every address and
     * device except the caller's. Throws `WRONG_CREDENTIALS`, `TOO_MANY_TRIES` or `BUSY`.
     */
    change: (caller: PersonCaller & Place, { currentPassword, newPassword }: PasswordForm) =>
      wrongPasswords.afterRight(
        caller,
        currentPassword,
        ownPasswordWrong,
        async ({ id: accountId, passwordHash: from }) => {
          const to = await passwords.hash(newPassword, { lane: "known", person: String(accountId) });
          const change = async ({ sql }: Unit) => {
            if (!(await changePassword(sql, { accountId, from, to }))) {
              throw new Refusal("WRONG_CREDENTIALS", "Your password has changed in the meantime. Please try again.");
            }
            await forgetAddresses(sql, accountId, caller);
            const ended = await endSessionsOf(sql, { accountId, exceptId: caller.sessionId });
            return happened("password_changed", { account: caller, ended }, undefined);
          };
          await changes.carryOut(caller, change, { isCounted: false });
          if (caller.role === "admin") await removeFirstPassword(dataFolder, caller.username);
        },
      ),
  };
}

/**
 * Sets the password of an account for someone else, ends its sessions, deletes its API keys, switches its shop links off
 * and forgets its addresses, but not its devices. Returns the ids of the sessions.
 */
export async function resetPassword(sql: Sql, accountId: number, passwordHash: string): Promise<number[]> {
  await setPassword(sql, accountId, passwordHash);
  await forgetAllButDevices(sql, accountId);
  await deleteApiKeysOf(sql, accountId);
  await switchOffShopLinksOf(sql, accountId);
  return endSessionsOf(sql, { accountId });
}

/** The first admin's name, unless ADMIN_USERNAME is set. */
export const firstAdminName = "admin";

/** The file that holds the first admin's password until it is changed, if no terminal showed it. */
export function firstPasswordFile(dataFolder: string): string {
  return join(dataFolder, "first-password");
}

/** Removes the file after an admin's password was replaced. If that fails, the next start removes it. */
export async function removeFirstPassword(dataFolder: string, username: string): Promise<void> {
  if (username.toLowerCase() !== firstAdminName) return;
  await rm(firstPasswordFile(dataFolder), { force: true }).catch(() => {});
}
