import type { DatabaseEvent } from "../core/events.ts";
import type { Actor, Doer, Tellings } from "./telling.ts";

/** An account, and the ids of its sessions that ended, whose open pages close. */
interface OfSessions {
  account: Actor;
  ended: readonly number[];
}

export interface AccountFacts {
  /** The session that the browser had before, and the oldest of too many. */
  signed_in: OfSessions;
  signed_out: OfSessions;
  password_changed: OfSessions;
  password_reset: OfSessions;
  sessions_ended: OfSessions;
}

const byBrowser = {
  audit: ({ account }: OfSessions) => ({ target: accountTarget(account), details: {}, actor: account }),
  webhooks: null,
  history: null,
  live: pagesClosed,
};

const ofSessions = {
  audit: ({ account, ended }: OfSessions, by: Doer) => ({
    target: accountTarget(account),
    details: { ...(isForReseller(account, by) && { resellerId: account.id }), sessions: ended.length },
  }),
  webhooks: null,
  history: null,
  live: pagesClosed,
};

export const accountTellings: Tellings<AccountFacts> = {
  signed_in: byBrowser,
  signed_out: byBrowser,
  password_changed: ofSessions,
  password_reset: ofSessions,
  sessions_ended: ofSessions,
};

/** How the audit log names an account: `reseller night.owl`, `staff night.helper`. */
export function accountTarget({ role, username, rights }: Pick<Actor, "role" | "username" | "rights">): string {
  return `${rights ? "staff" : role} ${username}`;
}

/** Closes the open pages of these sessions, and for an admin those of sessions that a suspension ended before. */
function pagesClosed({ account, ended }: OfSessions, by: Doer): DatabaseEvent[] {
  return [
    ...(ended.length > 0 ? [{ about: "sessions" as const, ended: [...ended] }] : []),
    ...(isForReseller(account, by) ? [{ about: "suspendedPages" as const, resellerId: account.id }] : []),
  ];
}

/** Whether an admin did it for a reseller. */
function isForReseller({ role }: Actor, by: Doer): boolean {
  return role === "reseller" && by.role === "admin";
}
