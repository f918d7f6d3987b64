import { msPerSecond } from "../core/clock.ts";
import type { Metrics } from "../core/metrics.ts";
import type { RandomBytes } from "../core/random.ts";
import { createLimitWindows } from "./limit-windows.ts";

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
  randomBytes,
  enabled,
  metrics,
}: {
  monotonicMs: () => number;
  randomBytes: RandomBytes;
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
    const windows = createLimitWindows(randomBytes);

    return {
      take(person) {
        if (!enabled) return null;
        const now = monotonicMs();
        const place = openPlaceOf(person, now);
        if (place === -1) {
          windows.open(now);
          return null;
        }
        const tries = windows.tries(place);
        if (tries >= triesMax) return refusedFor(windows.openedAt(place), now);
        windows.setTries(place, tries + 1);
        return null;
      },
      async giveBack(person, tries = 1) {
        const place = windows.find(person);
        if (place !== -1) windows.setTries(place, Math.max(0, windows.tries(place) - tries));
      },
      waitSeconds(person) {
        const now = monotonicMs();
        const place = openPlaceOf(person, now);
        return place !== -1 && windows.tries(place) >= triesMax ? refusedFor(windows.openedAt(place), now) : null;
      },
    };

    /** One that is over is free from then on. */
    function openPlaceOf(person: string, now: number): number {
      const place = windows.find(person);
      if (place === -1 || now - windows.openedAt(place) < windowMs) return place;
      windows.setTries(place, 0);
      return -1;
    }

    /** Whoever is told to wait was refused. */
    function refusedFor(openedAt: number, now: number): number {
      hits.value += 1;
      return Math.ceil((openedAt + windowMs - now) / msPerSecond);
    }
  };
}
