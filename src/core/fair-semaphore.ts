import { LRUCache } from "lru-cache";
import { busy, Refusal } from "./refusal.ts";

/** Whose share of a resource a request takes. */
export interface Requester {
  /** An account's, or the address of a visitor who is not signed in. */
  id: number | string;
  role: "admin" | "reseller";
  /** The reseller of a staff account. */
  owner?: { id: number } | null;
}

/**
 * As whom a request counts for limits and shares: the staff of one reseller together, beside the reseller. No account
 * has this negative id.
 */
export function countedAs<Id extends number | string>({ id, owner }: { id: Id; owner?: { id: number } | null }) {
  return owner ? -owner.id : id;
}

/** rules.md: Shares. So many tasks wait for one resource, and none waits longer. */
const tasksWaitingMax = 200;
export const waitMsMax = 15_000;
const retryAfterSeconds = 2;

/** An account has at most a quarter of the places, and the last quarter is for admins. */
const shares = 4;

/** Beyond this many, the turns of those that started a task longest ago are forgotten. */
const turnsKeptMax = 10_000;

interface Waiting {
  by: Requester;
  start: () => void;
  reject: (refusal: Refusal) => void;
  timer: ReturnType<typeof setTimeout>;
}

type Places = { atOnceMax: number; waitingMax?: number };

/**
 * Lets a number of tasks run at once and others wait, up to `waitingMax` and for up to 15 s. Accounts take turns, so
 * how long one waits does not depend on how much another has requested.
 */
export function createFairSemaphore({ atOnceMax, waitingMax = tasksWaitingMax }: Places) {
  const running: Requester[] = [];
  let waiting: Waiting[] = [];
  /** The turn in which each account last started a task. */
  const turnOf = new LRUCache<Requester["id"], number>({ max: turnsKeptMax });
  let turn = 0;
  let isClosed = false;

  return {
    running: () => running.length,

    /**
     * Resolves when it is the task's turn, with the function to call when it has ended. Throws `TOO_MANY_TRIES` if the
     * account has used its share, also after waiting for it, and `BUSY` if the places of all accounts are taken.
     */
    async enter(requester: Requester): Promise<() => void> {
      if (isClosed) throw busy();
      const by = { ...requester, id: countedAs(requester) };
      await new Promise<void>((resolve, reject) => {
        const entry: Waiting = { by, start: resolve, reject, timer: setTimeout(() => giveUp(entry), waitMsMax) };
        waiting.push(entry);
        startNext();
        if (!waiting.includes(entry)) return;
        const others = waiting.filter((other) => other !== entry);
        const ofAccount = others.filter((other) => other.by.id === by.id);
        if (ofAccount.length >= shareOf(waitingMax)) refuse(entry, shareUsed());
        else if (others.length >= allowedFor(by, waitingMax)) refuse(entry, busy());
      });
      return leaving(by);
    },

    /** The same without waiting: returns null if the task may not start now. */
    enterNow(requester: Requester): (() => void) | null {
      const by = { ...requester, id: countedAs(requester) };
      if (isClosed || !mayStart(by)) return null;
      running.push(by);
      return leaving(by);
    },

    /** Refuses all waiting and later tasks. */
    close(): void {
      isClosed = true;
      for (const entry of waiting) refuse(entry, busy());
    },
  };

  function leaving(by: Requester): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      running.splice(running.indexOf(by), 1);
      startNext();
    };
  }

  function startNext(): void {
    const next = waiting
      .filter(({ by }) => mayStart(by))
      .sort((one, other) => (turnOf.get(one.by.id) ?? 0) - (turnOf.get(other.by.id) ?? 0))[0];
    if (!next) return;
    forget(next);
    turn += 1;
    turnOf.set(next.by.id, turn);
    running.push(next.by);
    next.start();
  }

  /** Further tasks of a reseller leave half of the places for resellers to those that have none. */
  function mayStart(by: Requester): boolean {
    const allowed = allowedFor(by, atOnceMax);
    const isFurther = by.role === "reseller" && countOf(by) > 0;
    return countOf(by) < shareOf(atOnceMax) && running.length < (isFurther ? allowed / 2 : allowed);
  }

  function countOf({ id }: Requester): number {
    return running.filter((other) => other.id === id).length;
  }

  function giveUp(entry: Waiting): void {
    const ofAccount = [...running, ...waiting.map(({ by }) => by)].filter(({ id }) => id === entry.by.id);
    refuse(entry, ofAccount.length > 1 ? shareUsed() : busy());
  }

  function refuse(entry: Waiting, refusal: Refusal): void {
    forget(entry);
    entry.reject(refusal);
  }

  function forget(entry: Waiting): void {
    clearTimeout(entry.timer);
    waiting = waiting.filter((other) => other !== entry);
  }
}

function shareOf(places: number): number {
  return Math.max(1, Math.floor(places / shares));
}

function allowedFor({ role }: Requester, places: number): number {
  return role === "admin" ? places : places - Math.floor(places / shares);
}

/** For a request that waits only because of others of the same person. */
export function shareUsed(): Refusal {
  const sentence = "Too many of your requests are still running. Please try again in a moment.";
  return new Refusal("TOO_MANY_TRIES", sentence, { retryAfterSeconds, isHeldBack: true });
}
