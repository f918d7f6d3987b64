import { msPerSecond } from "./clock.ts";
import type { Metrics } from "./metrics.ts";

/**
 * How many people one limit remembers at least. Past twice as many the older half is forgotten, so memory is bounded. To push one out
 * before its time takes that many addresses or names within the window: each name costs a password's hash, of which some forty a second
 * are made for strangers.
 */
const peopleMax = 200_000;

/** Counts tries per person (an account, an address) in windows that open with the first try. */
export interface RateLimit {
  /** Counts one try. Answers `null`, or the seconds to wait where the limit was reached before; then nothing is counted. */
  take(person: string): Wait | Promise<Wait>;
  /** Takes back a try that turned out to be rightful, or a part of it. */
  giveBack(person: string, tries?: number): Promise<void>;
  /** The seconds to wait where the limit is reached, else `null`. Counts no try. */
  waitSeconds(person: string): Wait | Promise<Wait>;
}

/** Seconds, or `null` for whoever need not wait. */
export type Wait = number | null;

interface Window {
  openedAt: number;
  tries: number;
}

/** Makes one limit. Whoever has several keeps them apart by having several; `name` is how metrics call it. */
export type CreateRateLimit = (rule: { name: string; triesMax: number; windowMs: number }) => RateLimit;

/**
 * The limits of one process, in its memory. Where several processes count together elsewhere they answer by promises; here a try
 * is decided in the same turn in which it is asked for, so those that come at once are counted one after another.
 *
 * `monotonicMs` never steps back or ahead with the wall clock, so that setting the clock cannot open a limit early. With `enabled`
 * false (RATE_LIMITS=off) everything is let through.
 */
export function createRateLimits({
  monotonicMs,
  enabled,
  metrics,
}: {
  monotonicMs: () => number;
  enabled: boolean;
  metrics: Metrics;
}): CreateRateLimit {
  const hitsOf = metrics.counter({
    name: "latchkey_limit_hits_total",
    help: "Tries that a limit refused.",
    labels: ["limit"],
  });

  return ({ name, triesMax, windowMs }) => {
    const hits = hitsOf({ limit: name });
    // Two halves: to find the oldest of one Map among those that were deleted from it took 0.1 ms, at each try of a flood.
    let recent = new Map<string, Window>();
    let older = new Map<string, Window>();

    return {
      take(person) {
        if (!enabled) return null;
        const now = monotonicMs();
        const window = windowOf(person);
        if (!window || isOver(window, now)) {
          if (window) forget(person);
          remember(person, { openedAt: now, tries: 1 });
          return null;
        }
        if (window.tries >= triesMax) return refusedFor(window, now);
        window.tries += 1;
        return null;
      },
      async giveBack(person, tries = 1) {
        const window = windowOf(person);
        if (!window) return;
        window.tries -= tries;
        if (window.tries <= 0) forget(person);
      },
      waitSeconds(person) {
        const now = monotonicMs();
        const window = windowOf(person);
        return window && !isOver(window, now) && window.tries >= triesMax ? refusedFor(window, now) : null;
      },
    };

    function remember(person: string, window: Window): void {
      if (recent.size >= peopleMax) {
        older = recent;
        recent = new Map();
      }
      recent.set(person, window);
    }

    function forget(person: string): void {
      recent.delete(person);
      older.delete(person);
    }

    function windowOf(person: string): Window | undefined {
      return recent.get(person) ?? older.get(person);
    }

    function isOver({ openedAt }: Window, now: number): boolean {
      return now - openedAt >= windowMs;
    }

    /** Whoever is told to wait was refused. */
    function refusedFor({ openedAt }: Window, now: number): number {
      hits.value += 1;
      return Math.ceil((openedAt + windowMs - now) / msPerSecond);
    }
  };
}
