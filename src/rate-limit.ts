import { msPerSecond } from "./clock.ts";

/**
 * How many people are remembered at once. Past it the one whose window opened first is forgotten, so memory is bounded. So many that
 * invented names do not push one out within its 15 minutes: each costs a password's hash, of which some hundred are made a second.
 */
const peopleMax = 200_000;

/** Counts tries per person (an account, an address) in windows that open with the first try. */
export interface RateLimit {
  /** Counts one try. Answers `null`, or the seconds to wait when the window is full; then nothing is counted. */
  take(person: string): number | null;
  /** Takes back one counted try that turned out to be rightful. */
  giveBack(person: string): void;
}

/**
 * `monotonicMs` never steps back or ahead with the wall clock, so that setting the clock cannot open a limit early.
 * With `enabled` false (RATE_LIMITS=off) everything is let through.
 */
export function createRateLimit(limit: {
  triesMax: number;
  windowMs: number;
  monotonicMs: () => number;
  enabled: boolean;
}): RateLimit {
  const windows = new Map<string, { openedAt: number; tries: number }>();

  return {
    take(person) {
      if (!limit.enabled) return null;
      const now = limit.monotonicMs();
      const window = windows.get(person);
      if (!window || now - window.openedAt >= limit.windowMs) {
        windows.delete(person);
        if (windows.size >= peopleMax) windows.delete(windows.keys().next().value as string);
        windows.set(person, { openedAt: now, tries: 1 });
        return null;
      }
      if (window.tries >= limit.triesMax) return Math.ceil((window.openedAt + limit.windowMs - now) / msPerSecond);
      window.tries += 1;
      return null;
    },
    giveBack(person) {
      const window = windows.get(person);
      if (window && window.tries > 1) window.tries -= 1;
      else windows.delete(person);
    },
  };
}
