import type { Spread } from "./compare.ts";

/** A goal of docs/performance.md with the figure that a run found for it. */
export interface GoalFigure {
  /** P1 to P7. */
  goal: string;
  work: string;
  wanted: string;
  found: string;
  /** The same as a number, by which runs are compared; `null` where there is more than one. */
  figure: number | null;
  /** `null` where a figure is only stated. */
  holds: boolean | null;
}

/** At least so much of what bare Bun.serve does. */
export function ofBare(goal: string, work: string, min: number, ratio: Spread): GoalFigure {
  const found = `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
  return {
    goal,
    work,
    wanted: `≥ ${min.toFixed(2)} of bare Bun.serve`,
    found,
    figure: ratio.median,
    holds: ratio.median >= min,
  };
}

/** So many times another figure, at least or at most. */
export function times(goal: string, work: string, bound: { min: number } | { max: number }, ratio: number): GoalFigure {
  const found = `${ratio.toFixed(1)}×`;
  if ("min" in bound) return { goal, work, wanted: `≥ ${bound.min}×`, found, figure: ratio, holds: ratio >= bound.min };
  return { goal, work, wanted: `≤ ${bound.max}×`, found, figure: ratio, holds: ratio <= bound.max };
}

/** At most so many of a unit. */
export function atMost(goal: string, work: string, max: number, unit: string, figure: number): GoalFigure {
  const found = `${figure.toFixed(0)} ${unit}`;
  return { goal, work, wanted: `≤ ${max} ${unit}`, found, figure, holds: figure <= max };
}

export function stated(goal: string, work: string, found: string): GoalFigure {
  return { goal, work, wanted: "stated", found, figure: null, holds: null };
}
