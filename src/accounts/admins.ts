import { Errors } from "@sinclair/typebox/errors";
import { isoOf, type Now } from "../core/clock.ts";
import { problemsOf } from "../core/field-problems.ts";
import { Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import { accountTarget } from "../facts/account-facts.ts";
import * as store from "./account-store.ts";
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
     * Sets the password, ends the admin's sessions and forgets where the admin signed in from. Throws `INVALID` or
     * `NOT_FOUND`.
     */
    async resetPassword(username: string, password: string) {
      refuseProblems(problemsOf(Errors(Password, password)));
      const passwordHash = await passwords.hash(password, turn);
      await changes.carryOut(operator, async ({ sql }) => {
        const admin = await adminNamed(sql, username);
        const ended = await resetPassword(sql, admin.id, passwordHash);
        return happened("password_reset", { account: admin, ended }, undefined);
      });
    },

    /** In the order in which they were made. */
    async list() {
      const admins = await store.listAdmins(database.read);
      return admins.map(({ username, createdAt, hasTwoFactor }) => ({
        username,
        createdAt: isoOf(createdAt),
        hasTwoFactor: hasTwoFactor === 1,
      }));
    },

    /**
     * The name is free again; the audit log keeps it for what the admin did. Throws `NOT_FOUND`, or `FORBIDDEN` for the
     * last admin.
     */
    remove: (username: string) =>
      changes.carryOut(operator, async ({ sql }) => {
        const admin = await adminNamed(sql, username);
        const { id } = admin;
        const isRemoved = await store.removeAdmin(sql, { id, at: now() });
        if (!isRemoved) throw new Refusal("FORBIDDEN", `${username} is the last admin and cannot be removed.`);
        const ended = await endSessionsOf(sql, { accountId: id });
        await removeTwoFactor(sql, id);
        await deleteApiKeysOf(sql, id);
        await store.deleteWebhooksOf(sql, id);
        await store.forgetAddresses(sql, id);
        const details = { sessions: ended.length };
        return { result: undefined, record: { action: "admin_removed", target: accountTarget(admin), details } };
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

async function adminNamed(sql: Sql, username: string): Promise<SessionUser> {
  const admin = await store.userNamed(sql, { username, role: "admin" });
  if (!admin) throw new Refusal("NOT_FOUND", `There is no admin ${username}.`);
  return admin;
}
