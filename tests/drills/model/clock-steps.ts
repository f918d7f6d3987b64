import fc from "fast-check";
import { type Context, number, pick } from "./context.ts";
import { expiriesIn } from "./state.ts";

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;

/** A session ends after 7 days without use, so all sessions are used after each step. */
const stepMsMax = 6 * msPerDay;

/** A session ends 30 days after it was opened, which the model does not know. */
export const aheadMsMax = 29 * msPerDay;

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

/** To shortly before something expires, so that it expires in the middle of what follows. */
const toExpiry = fc.record({ n: number, earlyMs: fc.constantFrom(0, 15, 100) }).map(
  ({ n, earlyMs }): ClockStep =>
    ({ state, now }) => {
      const possible = expiriesIn(state).map((at) => at - earlyMs - now);
      const near = possible.filter((ms) => ms > 0 && ms <= stepMsMax);
      return pick(near, n) ?? msPerHour;
    },
);

export const clockStep: fc.Arbitrary<ClockStep> = fc.oneof(byHours, toExpiry);
