/**
 * How long a key runs, as the intervals that add up to it. The product stores an expiry instead, which the model never
 * does: it is always the sum.
 */
export interface Life {
  /** Oldest first, and none until the key starts. The extension of an expired key begins another. */
  intervals: readonly Interval[];
  pause: Pause | null;
  /** What the reseller's pauses that are over used of the reseller's days. */
  pauseUsedMs: number;
}

interface Interval {
  from: number;
  /** From the order and from extensions. */
  soldMs: number;
  pausedMs: number;
  /** By the intervention that gave them. */
  compensationsMs: Readonly<Record<number, number>>;
}

export interface Pause {
  from: number;
  /** Whose pause it is now. */
  by: "reseller" | "admin";
  /** What paused it, unless it was paused by itself. */
  intervention: number | null;
}

export const msPerHour = 3_600_000;
export const msPerDay = 24 * msPerHour;

/** How long a reseller may pause a key in total. */
const pauseMsMax = 30 * msPerDay;

export const unstarted: Life = { intervals: [], pause: null, pauseUsedMs: 0 };

export function started(life: Life, at: number, soldMs: number): Life {
  return { ...life, intervals: [newInterval(at, soldMs)] };
}

/** When it began, or `null`. */
export function startOf({ intervals }: Life): number | null {
  return intervals[0]?.from ?? null;
}

/** When the key expires, without a pause that still runs, or `null` if the key has not started. */
export function endOf({ intervals }: Life): number | null {
  const last = intervals.at(-1);
  if (!last) return null;
  const given = Object.values(last.compensationsMs);
  return last.from + last.soldMs + last.pausedMs + given.reduce((sum, ms) => sum + ms, 0);
}

/** When a reseller's pause ends by itself. */
export function pauseEndOf({ pause, pauseUsedMs }: Life): number | null {
  return pause?.by === "reseller" ? pause.from + pauseMsMax - pauseUsedMs : null;
}

export function mayPause({ pauseUsedMs }: Life): boolean {
  return pauseUsedMs < pauseMsMax;
}

export function paused(life: Life, pause: Pause): Life {
  return { ...life, pause };
}

/** From now on, the reseller's days are no longer used. The time that the key gets back still counts from the beginning. */
export function takenOver(life: Life, at: number): Life {
  const pause = life.pause as Pause;
  return { ...life, pause: { ...pause, by: "admin" }, pauseUsedMs: life.pauseUsedMs + at - pause.from };
}

export function resumed(life: Life, at: number): Life {
  const { from, by } = life.pause as Pause;
  const used = by === "reseller" ? at - from : 0;
  const gained = withLast(life, (last) => ({ ...last, pausedMs: last.pausedMs + at - from }));
  return { ...gained, pause: null, pauseUsedMs: life.pauseUsedMs + used };
}

/** Of a key that has started. Once it has expired, another interval begins, and what it was given before is used up. */
export function extended(life: Life, ms: number, at: number): Life {
  const isOver = life.pause === null && (endOf(life) as number) <= at;
  if (isOver) return { ...life, intervals: [...life.intervals, newInterval(at, ms)] };
  return withLast(life, (last) => ({ ...last, soldMs: last.soldMs + ms }));
}

export function compensated(life: Life, intervention: number, ms: number): Life {
  return withLast(life, (last) => {
    return { ...last, compensationsMs: { ...last.compensationsMs, [intervention]: ms } };
  });
}

/** What interventions gave that is not used up. */
export function compensationsOf({ intervals }: Life): Interval["compensationsMs"] {
  return intervals.at(-1)?.compensationsMs ?? {};
}

export function takenBack(life: Life, intervention: number): Life {
  return withLast(life, (last) => {
    const { [intervention]: _, ...compensationsMs } = last.compensationsMs;
    return { ...last, compensationsMs };
  });
}

function newInterval(from: number, soldMs: number): Interval {
  return { from, soldMs, pausedMs: 0, compensationsMs: {} };
}

function withLast(life: Life, change: (last: Interval) => Interval): Life {
  const last = life.intervals.at(-1);
  return last ? { ...life, intervals: [...life.intervals.slice(0, -1), change(last)] } : life;
}
