import type { Now } from "../core/clock.ts";
import type { News } from "../core/news.ts";
import type { Entry } from "../core/record.ts";
import type { Database, Sql } from "../db/contract.ts";
import type { SecurityLog } from "../http/logging/security-log.ts";
import { type Caller, notSignedIn } from "./caller.ts";
import { insertRecord } from "./record-store.ts";
import type { SessionUser } from "./schema.ts";
import { isOpen } from "./session-store.ts";

/** Who acts: somebody who is signed in, somebody at an address who is not (yet), or the operator. */
export type By = Caller | { address: string } | "command line";

/** What an act answers to whoever asked for it, and what the record keeps of it. */
export interface Done<Result> {
  result: Result;
  /** `null` where nothing was changed. `actor` is told where it is not the caller: who signs in, or registers. */
  record: (Entry & { actor?: SessionUser }) | null;
  /** What open pages are told of it, once it is committed. */
  news?: News[];
}

/**
 * The one door to the database for whatever people do: what was done and its row in the record are one transaction, so that there is
 * neither without the other (rules.md: Recording). What game clients write, and what the server does by itself, is nobody's act.
 */
export interface Acts {
  /**
   * Access was checked when the request came, but the caller's session may have ended since (a logout, a suspension, a new password): once
   * that was acknowledged, nothing of an older request is accepted. Throws `NOT_SIGNED_IN`.
   */
  carryOut<Result>(by: By, work: (sql: Sql) => Promise<Done<Result>>): Promise<Result>;
}

/** `securityLog` is left out where nobody watches: at the command line, and for a demo. */
export function createActs({
  database,
  securityLog,
  now,
}: {
  database: Database;
  securityLog?: Pick<SecurityLog, "done">;
  now: Now;
}): Acts {
  return {
    async carryOut(by, work) {
      const { result, record } = await database.transaction(async (sql, tell) => {
        if (isCaller(by) && !(await isOpen(sql, by.sessionId))) throw notSignedIn();
        const done = await work(sql);
        if (done.record) await insertRecord(sql, rowOf(by, done.record, now()));
        for (const each of done.news ?? []) await tell(each);
        return done;
      });
      if (record && isCaller(by)) securityLog?.done(record, by);
      return result;
    },
  };
}

/** That these sessions have ended, for whoever holds a page of theirs open. */
export function endedNews(ended: number[]): News[] {
  return ended.length === 0 ? [] : [{ about: "sessions", ended }];
}

/** How the record names an account: `reseller night.owl`. */
export function accountTarget({ role, username }: Pick<SessionUser, "role" | "username">): string {
  return `${role} ${username}`;
}

function rowOf(by: By, { action, actor, target, details }: NonNullable<Done<unknown>["record"]>, at: number) {
  const who = actor ?? (isCaller(by) ? by : null);
  const unnamed = who ? {} : { by: by === "command line" ? by : "nobody" };
  return {
    ...{ at, action, target, address: by === "command line" ? null : by.address },
    ...{ actorId: who?.id ?? null, actorUsername: who?.username ?? null, actorRole: who?.role ?? null },
    details: JSON.stringify({ ...unnamed, ...details }),
  };
}

function isCaller(by: By): by is Caller {
  return typeof by === "object" && "sessionId" in by;
}
