import { isoOf, msPerDay, msPerMinute, type Now } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import type { Origin } from "../http/client-address.ts";
import type { OwnSession } from "./account-schema.ts";
import { type Acts, accountTarget, type Done, endedNews } from "./acts.ts";
import type { Caller, Viewer } from "./caller.ts";
import * as store from "./session-store.ts";

/** A session ends after 7 idle days, or 30 days after it was opened (rules.md: Sessions). */
const idleMsMax = 7 * msPerDay;
export const sessionMsMax = 30 * msPerDay;

/** Being seen is written at most this often, because every write waits for the disk. */
const touchEveryMs = 5 * msPerMinute;

export interface Sessions {
  /** Who is signed in by what the cookie carries; `null` once the session ended, for whatever reason. */
  viewer(sessionSecret: string): Promise<Viewer | null>;
  signOut(origin: Origin, sessionSecret: string): Promise<void>;
  /** The caller's own, newest first. */
  list(caller: Caller): Promise<OwnSession[]>;
  /** Ends one of the caller's own. Throws `NOT_FOUND`. */
  end(caller: Caller, sessionId: number): Promise<void>;
  /** Ends all of the caller's own but the one that the call came with. */
  endOthers(caller: Caller): Promise<void>;
}

export function createSessions({ database, acts, now }: { database: Database; acts: Acts; now: Now }): Sessions {
  return {
    async viewer(sessionSecret) {
      const at = now();
      const found = await store.viewerOf(database.read, { secret: sessionSecret, ...liveSince(at) });
      if (!found) return null;
      const { lastSeenAt, ...viewer } = found;
      if (at - lastSeenAt > touchEveryMs) {
        // A full disk must not keep people from reading: the next request tries again.
        await database.transaction((sql) => store.touchSession(sql, { id: viewer.sessionId, at })).catch(() => {});
      }
      return viewer;
    },

    async signOut(origin, sessionSecret) {
      await acts.carryOut(origin, async (sql) => {
        const account = await store.accountOf(sql, sessionSecret);
        const news = endedNews(await store.endSessionWith(sql, sessionSecret));
        if (!account) return { result: undefined, record: null, news };
        const record = { action: "signed_out", actor: account, target: accountTarget(account), details: {} } as const;
        return { result: undefined, record, news };
      });
    },

    async list(caller) {
      const rows = await store.listSessions(database.read, { accountId: caller.id, ...liveSince(now()) });
      return rows.map(({ id, createdAt, lastSeenAt, address, userAgent }) => ({
        ...{ id, current: id === caller.sessionId, address, userAgent },
        ...{ createdAt: isoOf(createdAt), lastSeenAt: isoOf(lastSeenAt) },
      }));
    },

    async end(caller, sessionId) {
      await acts.carryOut(caller, async (sql) => {
        const ended = await store.endSession(sql, { id: sessionId, accountId: caller.id });
        if (ended.length === 0) throw new Refusal("NOT_FOUND", "There is no such session.");
        return sessionsEndedBy(caller, ended);
      });
    },

    async endOthers(caller) {
      const others = { accountId: caller.id, exceptId: caller.sessionId };
      await acts.carryOut(caller, async (sql) => sessionsEndedBy(caller, await store.endSessionsOf(sql, others)));
    },
  };
}

function sessionsEndedBy(caller: Caller, ended: number[]): Done<undefined> {
  const target = accountTarget(caller);
  const record = { action: "sessions_ended", target, details: { sessions: ended.length } } as const;
  return { result: undefined, record: ended.length === 0 ? null : record, news: endedNews(ended) };
}

/** What a session must have been, at an instant, to be live still. */
export function liveSince(at: number): store.LiveSince {
  return { seenAfter: at - idleMsMax, createdAfter: at - sessionMsMax };
}
