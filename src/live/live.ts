import { type Static, Type } from "@sinclair/typebox";
import { isActiveReseller, isOpen } from "../accounts/store.ts";
import { suspendedSentence } from "../accounts/suspension.ts";
import { msPerSecond } from "../core/clock.ts";
import type { DatabaseEvent } from "../core/events.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";
import { coalesced } from "../db/maintenance.ts";

/**
 * What a page sends once its socket is open (rules.md: Live socket). `resellerId` is compared with the cookie, and
 * never trusted.
 */
export const LiveHello = Type.Object({ type: Type.Literal("auth"), resellerId: Type.Integer() });
export type LiveHello = Static<typeof LiveHello>;

/**
 * A page ignores unknown types (rules.md: Live socket), so a new one does not break pages that were opened before it.
 */
export type LiveNotice =
  | { type: "auth_success" }
  | { type: "status_change"; isActive: boolean; message: string }
  | { type: "credits_change" };

/** An open page of a reseller. */
export interface LivePage {
  send(notice: LiveNotice): void;
  close(code: number, reason: string): void;
}

/** Sockets that one account may hold open, which is more than a person's tabs. One more closes the oldest. */
const pagesPerAccountMax = 20;

/**
 * A suspended page signs out after 2 seconds. One that does not is closed after this time, also if the reseller is
 * active again.
 */
const suspendedMsMax = 60_000;

/** The pause before missed events are read again from a database that could not be read. */
const lookAgainMs = msPerSecond;

/** RFC 6455: the purpose is fulfilled. A page does not reconnect after it. */
const normalClosure = 1000;
const goingAway = 1001;

/** Whose page it is. */
interface PageOwner {
  resellerId: number;
  /** The reseller's, or that of a staff account. */
  accountId: number;
  sessionId: number;
}

export type Live = ReturnType<typeof createLive>;

/** Passes the events of all processes that share the database to the pages that are open on this one. */
export function createLive(database: Pick<Database, "subscribe" | "read">, metrics: Metrics) {
  const pages = new Set<LivePage>();
  metrics.gauge({ name: "latchkey_sockets", help: "Open sockets of resellers' pages.", read: () => pages.size });
  const ofReseller = createGroups();
  const ofAccount = createGroups();
  const ofSession = createGroups();
  /** By reseller, the pages whose sessions a suspension ended. */
  const suspended = createGroups();
  /** Pages whose sessions are being looked up, with the events since then. */
  const joining = new Map<LivePage, DatabaseEvent[]>();
  const catchUp = coalesced(async () => {
    while (pages.size > 0) {
      try {
        return await tellMissed();
      } catch {
        await Bun.sleep(lookAgainMs);
      }
    }
  });
  database.subscribe({
    event(event) {
      for (const since of joining.values()) since.push(event);
      if (event.about === "sessions") endAll(event.ended.flatMap(ofSession.in));
      else if (event.about === "suspendedPages") endAll(suspended.in(event.resellerId));
      else send(event.resellerId, event.notice);
    },
    missed() {
      for (const page of joining.keys()) page.close(goingAway, "The server may have missed an event.");
      void catchUp();
    },
  });

  return {
    opened: (page: LivePage) => void pages.add(page),
    closed: leave,
    /**
     * From now on the page receives the reseller's notices, until its session ends. Returns false if `find` returns no
     * owner, or if the session ended or the page closed meanwhile.
     */
    async join(page: LivePage, find: () => Promise<PageOwner | null>): Promise<boolean> {
      const since: DatabaseEvent[] = [];
      joining.set(page, since);
      const owner = await find();
      const isStillOpen = joining.delete(page);
      if (!isStillOpen || !owner || since.some((event) => endsSessionOf(owner, event))) return false;
      const [oldest, ...others] = ofAccount.in(owner.accountId);
      if (oldest && others.length + 1 >= pagesPerAccountMax) end(oldest, "Too many pages are open.");
      ofReseller.put(page, owner.resellerId);
      ofAccount.put(page, owner.accountId);
      ofSession.put(page, owner.sessionId);
      return true;
    },
    /** Closes every page with 1001: the server is going away. */
    closeAll() {
      for (const page of pages) page.close(goingAway, "The server is stopping.");
    },
  };

  function send(resellerId: number, notice: LiveNotice): void {
    const signedIn = ofReseller.in(resellerId);
    for (const page of signedIn) page.send(notice);
    if (notice.type !== "status_change") return;
    for (const page of suspended.in(resellerId)) page.send(notice);
    if (!notice.isActive) for (const page of signedIn) suspend(page, resellerId);
  }

  /** The page's session has ended. From now on it receives changes of the status only. */
  function suspend(page: LivePage, resellerId: number): void {
    ofReseller.take(page);
    ofAccount.take(page);
    ofSession.take(page);
    suspended.put(page, resellerId);
    setTimeout(() => end(page), suspendedMsMax).unref();
  }

  function endAll(ended: LivePage[]): void {
    for (const page of ended) end(page);
  }

  /** The page does not reconnect. */
  function end(page: LivePage, reason = "The session has ended."): void {
    leave(page);
    page.close(normalClosure, reason);
  }

  /**
   * Reads missed events from the tables: pages learn of a suspension, load the balance again, and are closed if their
   * session has ended.
   */
  async function tellMissed(): Promise<void> {
    for (const resellerId of ofReseller.all()) {
      const isActive = await isActiveReseller(database.read, resellerId);
      if (!isActive) send(resellerId, { type: "status_change", isActive, message: suspendedSentence });
      else send(resellerId, { type: "credits_change" });
    }
    for (const sessionId of ofSession.all()) {
      if (!(await isOpen(database.read, sessionId))) endAll(ofSession.in(sessionId));
    }
  }

  function leave(page: LivePage): void {
    pages.delete(page);
    joining.delete(page);
    for (const groups of [ofReseller, ofAccount, ofSession, suspended]) groups.take(page);
  }
}

function endsSessionOf({ resellerId, sessionId }: PageOwner, event: DatabaseEvent): boolean {
  if (event.about === "sessions") return event.ended.includes(sessionId);
  if (event.about !== "reseller" || event.resellerId !== resellerId) return false;
  return event.notice.type === "status_change" && !event.notice.isActive;
}

/** Pages, grouped by a number. */
function createGroups() {
  const groups = new Map<number, Set<LivePage>>();
  const groupOf = new Map<LivePage, number>();

  return {
    put(page: LivePage, group: number): void {
      groupOf.set(page, group);
      groups.set(group, (groups.get(group) ?? new Set()).add(page));
    },
    take(page: LivePage): void {
      const group = groupOf.get(page);
      if (group === undefined) return;
      groupOf.delete(page);
      const others = groups.get(group);
      others?.delete(page);
      if (others?.size === 0) groups.delete(group);
    },
    /** A copy, oldest first, because pages may leave during an iteration. */
    in: (group: number): LivePage[] => [...(groups.get(group) ?? [])],
    all: (): number[] => [...groups.keys()],
  };
}
