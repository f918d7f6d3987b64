import { Errors } from "@sinclair/typebox/errors";
import { isoOf, type Now } from "../core/clock.ts";
import { problemsOf } from "../core/field-problems.ts";
import { Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import * as store from "./account-store.ts";
import { type AuditedChanges, accountTarget } from "./audited-changes.ts";
import { resetPassword } from "./passwords/password-change.ts";
import type { Passwords, Turn } from "./passwords/passwords.ts";
import { Password, type SessionUser, Username } from "./schema.ts";
import { endSessionsOf } from "./store.ts";
import { removeTwoFactor } from "./two-factor/two-factor-store.ts";

/** Admins are not registered through the panel: the operator looks after them, here, from the command line or the environment. */
export interface Admins {
  /** Throws `INVALID` or `USERNAME_TAKEN`. */
  create(username: string, password: string): Promise<void>;
  /** Sets the password, ends the admin's sessions and forgets where the admin signed in from. Throws `INVALID` or `NOT_FOUND`. */
  resetPassword(username: string, password: string): Promise<void>;
  /** In the order in which they were made. */
  list(): Promise<{ username: string; createdAt: string; hasTwoFactor: boolean }[]>;
  /** The name is free again; what the admin did keeps it. Throws `NOT_FOUND`, or `FORBIDDEN` for the last one. */
  remove(username: string): Promise<void>;
  /** Of an account of either role. Answers whether it was on. Throws `NOT_FOUND`. */
  disableTwoFactor(username: string): Promise<boolean>;
  exist(): Promise<boolean>;
}

const operator = "command line";

/** Who works at the command line waits for no stranger. */
const turn: Turn = { lane: "known", person: "operator" };

export function createAdmins({
  database,
  changes,
  passwords,
  now,
}: {
  database: Database;
  changes: AuditedChanges;
  passwords: Passwords;
  now: Now;
}): Admins {
  return {
    async create(username, password) {
      refuseProblems(problemsOf([...Errors(Username, username), ...Errors(Password, password)]));
      const passwordHash = await passwords.hash(password, turn);
      const account = { role: "admin" as const, username, passwordHash, at: now() };
      await changes.carryOut(operator, async ({ sql }) => {
        const id = await store.insertAccount(sql, account);
        if (id === null) throw new Refusal("USERNAME_TAKEN", `The username ${username} is already taken.`);
        return { result: undefined, record: { action: "admin_created", target: accountTarget(account), details: {} } };
      });
    },

    async resetPassword(username, password) {
      refuseProblems(problemsOf(Errors(Password, password)));
      const passwordHash = await passwords.hash(password, turn);
      // Only resellers have sockets, and what the command line ends is another process's: so nobody is told.
      await changes.carryOut(operator, async ({ sql }) => {
        const admin = await adminNamed(sql, username);
        const ended = await resetPassword(sql, { accountId: admin.id, passwordHash });
        const details = { sessions: ended.length };
        return { result: undefined, record: { action: "password_reset", target: accountTarget(admin), details } };
      });
    },

    async list() {
      const admins = await store.listAdmins(database.read);
      return admins.map(({ username, createdAt, hasTwoFactor }) => ({
        username,
        createdAt: isoOf(createdAt),
        hasTwoFactor: hasTwoFactor === 1,
      }));
    },

    remove: (username) =>
      changes.carryOut(operator, async ({ sql }) => {
        const admin = await adminNamed(sql, username);
        const { id } = admin;
        const isRemoved = await store.removeAdmin(sql, { id, at: now() });
        if (!isRemoved) throw new Refusal("FORBIDDEN", `${username} is the last admin, and stays.`);
        const ended = await endSessionsOf(sql, { accountId: id });
        await removeTwoFactor(sql, id);
        await store.forgetAddresses(sql, { accountId: id });
        const details = { sessions: ended.length };
        return { result: undefined, record: { action: "admin_removed", target: accountTarget(admin), details } };
      }),

    disableTwoFactor: (username) =>
      changes.carryOut(operator, async ({ sql }) => {
        const account = await store.userNamed(sql, { username });
        if (!account) throw new Refusal("NOT_FOUND", `There is no account ${username}.`);
        const wasOn = await removeTwoFactor(sql, account.id);
        const record = { action: "two_factor_disabled", target: accountTarget(account), details: {} } as const;
        return { result: wasOn, record: wasOn ? record : null };
      }),

    exist: () => store.hasAdmin(database.read),
  };
}

async function adminNamed(sql: Sql, username: string): Promise<SessionUser> {
  const admin = await store.userNamed(sql, { username, role: "admin" });
  if (!admin) throw new Refusal("NOT_FOUND", `There is no admin ${username}.`);
  return admin;
}
