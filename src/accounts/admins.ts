import { Value } from "@sinclair/typebox/value";
import type { Now } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { problemsOf } from "../field.ts";
import { Refusal, refuseProblems } from "../refusal.ts";
import type { Passwords, Turn } from "./passwords.ts";
import { Password, Username } from "./schema.ts";
import * as store from "./store.ts";

/** Admins are not registered through the panel: the operator makes them, here, from the command line or the environment. */
export interface Admins {
  /** Throws `INVALID` or `USERNAME_TAKEN`. */
  create(username: string, password: string): Promise<void>;
  /** Sets the password, ends the admin's sessions and forgets where the admin signed in from. Throws `INVALID` or `NOT_FOUND`. */
  resetPassword(username: string, password: string): Promise<void>;
  exist(): Promise<boolean>;
}

/** Who works at the command line waits for no stranger. */
const turn: Turn = { lane: "known", person: "operator" };

export function createAdmins({
  database,
  passwords,
  now,
}: {
  database: Database;
  passwords: Passwords;
  now: Now;
}): Admins {
  return {
    async create(username, password) {
      refuseProblems(problemsOf([...Value.Errors(Username, username), ...Value.Errors(Password, password)]));
      const passwordHash = await passwords.hash(password, turn);
      const account = { role: "admin" as const, username, passwordHash, createdAt: now() };
      const id = await database.transaction((sql) => store.insertAccount(sql, account));
      if (id === null) throw new Refusal("USERNAME_TAKEN", `The username ${username} is already taken.`);
    },

    async resetPassword(username, password) {
      refuseProblems(problemsOf(Value.Errors(Password, password)));
      const passwordHash = await passwords.hash(password, turn);
      await database.transaction(async (sql) => {
        const id = await store.setAdminPassword(sql, username, passwordHash);
        if (id === null) throw new Refusal("NOT_FOUND", `There is no admin ${username}.`);
        await store.closeSessionsOf(sql, id);
        await store.forgetAddressesOf(sql, id);
      });
    },

    exist: () => store.hasAdmin(database.read),
  };
}
