import fc from "fast-check";
import { type Context, number, pick } from "./context.ts";
import { msPerDay, msPerHour, pauseEndOf } from "./life.ts";
import { expiriesIn, expiriesOf } from "./state.ts";

/** A session ends after 7 days without use, so all sessions are used after each step of at most this length. */
export const stepMsMax = 6 * msPerDay;

/** A server whose clock has stepped by more than 31 days sells nothing, so it is restarted before. */
export const stepsMsMax = 20 * msPerDay;

/** A session ends 30 days after it was opened, so older ones are ended before. */
export const sessionMsMax = 20 * msPerDay;

export const aheadMsMax = 150 * msPerDay;

/**
 * Returns by how many milliseconds the clock steps forward. It never steps back, because the server's time would then
 * stand still at the latest time that it has read, which the model cannot know.
 */
export type ClockStep = (context: Pick<Context, "state" | "now">) => number;

const byHours = fc.constantFrom(1, 7, 25, 49).map(
  (hours): ClockStep =>
    () =>
      hours * msPerHour,
);

const early = fc.constantFrom(0, 15, 100);

/** To shortly before something expires, so that it expires in the middle of what follows. */
const toExpiry = fc.record({ n: number, earlyMs: early }).map(
  ({ n, earlyMs }): ClockStep =>
    ({ state, now }) => {
      const possible = expiriesIn(state).map((at) => at - earlyMs - now);
      const near = possible.filter((ms) => ms > 0 && ms <= stepMsMax);
      return pick(near, n) ?? msPerHour;
    },
);

/** To shortly before a pause ends by itself, up to 30 days. Where the clock steps once, it goes only some of the way. */
export const toPauseEnd =
  (n: number, earlyMs = 0): ClockStep =>
  ({ state, now }) => {
    const ends = [...state.keys.values()].flatMap(({ life }) => pauseEndOf(life) ?? []);
    const ahead = ends.map((at) => at - earlyMs - now).filter((ms) => ms > 0);
    return pick(ahead, n) ?? msPerHour;
  };

/** To the next time that a key expires or ends a pause by itself. */
export const toNextExpiry: ClockStep = ({ state, now }) => {
  const ahead = [...state.keys.values()].flatMap(expiriesOf).filter((at) => at > now);
  return ahead.length > 0 ? Math.min(...ahead) - now : msPerHour;
};

export const clockStep: fc.Arbitrary<ClockStep> = fc.oneof(
  { weight: 2, arbitrary: byHours },
  { weight: 2, arbitrary: toExpiry },
  { weight: 1, arbitrary: fc.tuple(number, early).map(([n, earlyMs]) => toPauseEnd(n, earlyMs)) },
);
