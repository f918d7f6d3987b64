import { isActiveReseller, isOpen } from "../accounts/store.ts";
import { suspendedSentence } from "../accounts/suspension.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";
import type { LiveNotice } from "./schema.ts";

/** An open page of a reseller. */
export interface LivePage {
  send(notice: LiveNotice): void;
  close(code: number, reason: string): void;
}

/** Sockets that one reseller may hold open, which is more than a person's tabs. One more closes the oldest. */
const pagesPerResellerMax = 20;

/** RFC 6455: the purpose is fulfilled. A page does not reconnect after it. */
const normalClosure = 1000;
const goingAway = 1001;

export type Live = ReturnType<typeof createLive>;

/** Passes the events of all processes that share the database to the pages that are open on this one. */
export function createLive(database: Pick<Database, "subscribe" | "read">, metrics: Metrics) {
  const pages = new Set<LivePage>();
  metrics.gauge({ name: "latchkey_sockets", help: "Open sockets of resellers' pages.", read: () => pages.size });
  const ofReseller = createGroups();
  const ofSession = createGroups();
  database.subscribe({
    event(event) {
      if (event.about === "sessions") closeSessions(event.ended);
      else send(event.resellerId, event.notice);
    },
    missed: () => void catchUp().catch(() => closeEvery("The server could not catch up.")),
  });

  return {
    opened: (page: LivePage) => void pages.add(page),
    closed: leave,
    /** From now on the page receives the reseller's notices, until its session ends. */
    join(page: LivePage, { resellerId, sessionId }: { resellerId: number; sessionId: number }): void {
      const [oldest, ...others] = ofReseller.in(resellerId);
      if (oldest && others.length + 1 >= pagesPerResellerMax) {
        leave(oldest);
        oldest.close(normalClosure, "Too many pages are open.");
      }
      ofReseller.put(page, resellerId);
      ofSession.put(page, sessionId);
    },
    /** Closes every page with 1001: the server is going away. */
    closeAll: () => closeEvery("The server is stopping."),
  };

  function send(resellerId: number, notice: LiveNotice): void {
    for (const page of ofReseller.in(resellerId)) page.send(notice);
  }

  /** The pages do not reconnect. */
  function closeSessions(sessionIds: number[]): void {
    for (const page of sessionIds.flatMap(ofSession.in)) {
      leave(page);
      page.close(normalClosure, "The session has ended.");
    }
  }

  /** The pages reconnect by themselves and load the present state. */
  function closeEvery(reason: string): void {
    for (const page of pages) page.close(goingAway, reason);
  }

  /** Reads missed events from the tables: pages learn of a suspension, load the balance again, and are closed if their session has ended. */
  async function catchUp(): Promise<void> {
    for (const resellerId of ofReseller.all()) {
      const isActive = await isActiveReseller(database.read, resellerId);
      if (!isActive) send(resellerId, { type: "status_change", isActive, message: suspendedSentence });
      else send(resellerId, { type: "credits_change" });
    }
    const ended: number[] = [];
    for (const sessionId of ofSession.all()) {
      if (!(await isOpen(database.read, sessionId))) ended.push(sessionId);
    }
    closeSessions(ended);
  }

  function leave(page: LivePage): void {
    pages.delete(page);
    ofReseller.take(page);
    ofSession.take(page);
  }
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
