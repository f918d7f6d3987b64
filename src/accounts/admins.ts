import { Errors } from "@sinclair/typebox/errors";
import { isoOf, type Now } from "../core/clock.ts";
import { problemsOf } from "../core/field-problems.ts";
import { Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import { accountTarget } from "../facts/account-facts.ts";
import * as store from "./account-store.ts";
import { userOf } from "./account-store.ts";
import { deleteApiKeysOf } from "./api-keys/api-key-store.ts";
import { type AuditedChanges, happened } from "./audited-changes.ts";
import { resetPassword } from "./password-change.ts";
import type { Passwords, Turn } from "./passwords/passwords.ts";
import { Password, type SessionUser, Username } from "./schema.ts";
import { endSessionsOf } from "./store.ts";
import { removeTwoFactor } from "./two-factor/two-factor-store.ts";

const operator = "command line";

/** The command line does not wait behind strangers who try passwords. */
const turn: Turn = { lane: "known", person: "operator" };

export type Admins = ReturnType<typeof createAdmins>;

type Dependencies = { database: Database; changes: AuditedChanges; passwords: Passwords; now: Now };

/** Admins do not register in the panel: the operator manages them from the command line or the environment. */
export function createAdmins({ database, changes, passwords, now }: Dependencies) {
  return {
    /** Throws `INVALID` or `USERNAME_TAKEN`. */
    async create(username: string, password: string) {
      refuseProblems(problemsOf([...Errors(Username, username), ...Errors(Password, password)]));
      const passwordHash = await passwords.hash(password, turn);
      const account = { role: "admin" as const, username, passwordHash, at: now() };
      await changes.carryOut(operator, async ({ sql }) => {
        const id = await store.insertAccount(sql, account);
        if (id === null) throw new Refusal("USERNAME_TAKEN", `The username ${username} is already taken.`);
        return { result: undefined, record: { action: "admin_created", target: accountTarget(account), details: {} } };
      });
    },

    /**
     * Sets the password of an admin or of staff, ends its sessions and forgets where it signed in from. Throws `INVALID`
     * or `NOT_FOUND`.
     */
    async resetPassword(username: string, password: string) {
      refuseProblems(problemsOf(Errors(Password, password)));
      const passwordHash = await passwords.hash(password, turn);
      await changes.carryOut(operator, async ({ sql }) => {
        const account = await adminOrStaffNamed(sql, username);
        const ended = await resetPassword(sql, account.id, passwordHash);
        return happened("password_reset", { account, ended }, undefined);
      });
    },

    /** The full admins, then all staff, in the order in which they were made. */
    async list() {
      const accounts = await store.listAdminsAndStaff(database.read);
      return accounts.map(({ createdAt, hasTwoFactor, ...row }) => ({
        ...userOf(row),
        createdAt: isoOf(createdAt),
        hasTwoFactor: hasTwoFactor === 1,
      }));
    },

    /**
     * Removes an admin or a staff account, and returns it. Its name is free again, but stays in the audit log. Throws
     * `NOT_FOUND`, or `FORBIDDEN` for the last full admin.
     */
    remove: (username: string) =>
      changes.carryOut(operator, async ({ sql }) => {
        const account = await adminOrStaffNamed(sql, username);
        const ended = await removeAccount(sql, { id: account.id, at: now() });
        if (!ended) throw new Refusal("FORBIDDEN", `${username} is the last admin and cannot be removed.`);
        const action = account.rights ? "staff_removed" : "admin_removed";
        const details = { sessions: ended.length };
        return { result: account, record: { action, target: accountTarget(account), details } };
      }),

    /** For an account of either role. Returns whether it was on. Throws `NOT_FOUND`. */
    disableTwoFactor: (username: string) =>
      changes.carryOut(operator, async ({ sql }) => {
        const account = await store.userNamed(sql, { username });
        if (!account) throw new Refusal("NOT_FOUND", `There is no account ${username}.`);
        const wasOn = await removeTwoFactor(sql, account.id);
        const record = { action: "two_factor_disabled", target: accountTarget(account), details: {} } as const;
        return { result: wasOn, record: wasOn ? record : null };
      }),

    exist: () => store.hasAdmin(database.read),

    async hasPassword(username: string, password: string) {
      const anywhere = { address: "", device: null, knownSince: 0 };
      const admin = await store.accountNamed(database.read, { role: "admin", username, ...anywhere });
      return (await passwords.matches(password, admin?.passwordHash ?? null, turn)) !== "no";
    },
  };
}

/**
 * Removes an account and its ways to sign in, and returns the ids of its sessions. Returns null for the last full
 * admin, who stays.
 */
export async function removeAccount(sql: Sql, { id, at }: { id: number; at: number }): Promise<number[] | null> {
  if (!(await store.removeUnlessLast(sql, { id, at }))) return null;
  await removeTwoFactor(sql, id);
  await deleteApiKeysOf(sql, id);
  await store.deleteWebhooksOf(sql, id);
  await store.deleteShopLinksOf(sql, id);
  await store.forgetAddresses(sql, id);
  return endSessionsOf(sql, { accountId: id });
}

async function adminOrStaffNamed(sql: Sql, username: string): Promise<SessionUser> {
  const account = await store.userNamed(sql, { username });
  if (!account || (account.role === "reseller" && account.rights === null))
    throw new Refusal("NOT_FOUND", `There is no admin ${username}.`);
  return account;
}
