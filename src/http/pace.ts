import { LRUCache } from "lru-cache";
import { msPerSecond } from "../core/clock.ts";
import { shareUsed, waitMsMax } from "../core/fair-semaphore.ts";

/** Beyond this, the least recently active start over. */
const peopleMax = 10_000;

/**
 * Resolves when it is the turn of a request of this person (an account, an address), with whether it had to wait. Throws
 * `TOO_MANY_TRIES` if that would take longer than 15 seconds.
 */
export type Pace = (person: string | number) => Promise<boolean>;

/** Each person has `atOnce` requests handled at once, and then `perSecond`. */
export type CreatePace = (rule: { atOnce: number; perSecond: number }) => Pace;

/**
 * Beyond a limit a request is refused; beyond its pace it waits. Paces are for legitimate requests, so that one person
 * cannot keep the thread busy that serves everyone. Each process counts by itself.
 */
export function createPaces({ monotonicMs, enabled }: { monotonicMs: () => number; enabled: boolean }): CreatePace {
  return ({ atOnce, perSecond }) => {
    const everyMs = msPerSecond / perSecond;
    /** When the next turn of each person comes; one in the past allows several requests at once. */
    const nextTurnsMs = new LRUCache<string | number, number>({ max: peopleMax });

    return async (person) => {
      if (!enabled) return false;
      const nowMs = monotonicMs();
      const turnMs = Math.max(nextTurnsMs.get(person) ?? Number.NEGATIVE_INFINITY, nowMs - (atOnce - 1) * everyMs);
      const waitMs = turnMs - nowMs;
      if (waitMs > waitMsMax) throw shareUsed();
      nextTurnsMs.set(person, turnMs + everyMs);
      if (waitMs <= 0) return false;
      await Bun.sleep(waitMs);
      return true;
    };
  };
}
