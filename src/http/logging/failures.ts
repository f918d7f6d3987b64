import { msPerDay, msPerHour, type Now } from "../../core/clock.ts";

/** How often the server failed: a fault of ours, or a storage that refused. Counted by the hour since the start, for a day. */
export interface Failures {
  count(): void;
  ofLastDay(): number;
}

export function createFailures({ now }: { now: Now }): Failures {
  let hours: { begunAt: number; failures: number }[] = [];

  return {
    count() {
      const latest = hours.at(-1);
      if (latest && now() < latest.begunAt + msPerHour) latest.failures += 1;
      else hours = [...ofDay(), { begunAt: now(), failures: 1 }];
    },
    ofLastDay: () => ofDay().reduce((sum, { failures }) => sum + failures, 0),
  };

  function ofDay() {
    return hours.filter(({ begunAt }) => begunAt > now() - msPerDay);
  }
}
