/** How much memory a process held at a moment. */
export interface Look {
  minute: number;
  mib: number;
}

/** In MiB an hour. */
export interface Rise {
  /** The median of the slopes between all pairs of windows. */
  perHour: number;
  /** It is less than that, with a certainty of 95 %: this is what a bound is held against, so that noise hides no leak. */
  perHourAtMost: number;
  /** Of the one step that was told apart from a slope; 0 where there was none. */
  stepMib: number;
  /** Between the lowest and the highest window, steps and all. */
  rangeMib: number;
}

/** Whatever comes again and again, as backups do, comes as often in each window: else they differ by it. */
export const windowMinutes = 3;

/**
 * A window counts by the look that a quarter of its looks lie below. What a backup or a download leaves behind is held for up to a minute and
 * collected then, a leak is not: so it shows where memory is low.
 */
const shareBelow = 0.25;

/** A step lies between two parts that are each so long. */
const windowsOfPartMin = 3;

/** Any curve is told better with a step than without one. It is taken for one where it leaves less than this share of what the slope alone does not tell. */
const restShareMax = 0.6;

/** Of a normal distribution 95 % lie below so many standard deviations. */
const deviations = 1.645;

/**
 * Tells a steady rise from noise, and from one step, as a cache makes that is filled or a heap that finds a larger size. The slope is Theil's and
 * Sen's, which a few looks that are far off do not move; its certainty follows from Kendall's. A step would move it: so where the curve is
 * two levels rather than a slope, pairs of windows count only where both are on the same side of the step.
 */
export function riseOf(looks: Look[]): Rise {
  const levels = levelsOf(looks);
  const sloping = fitted([levels]);
  const splits = levels.slice(windowsOfPartMin, -windowsOfPartMin).map((_, index) => {
    const at = index + windowsOfPartMin;
    // The window that the step falls into is on neither side.
    return fitted([levels.slice(0, at), levels.slice(at + 1)]);
  });
  const stepping = splits.reduce((best, other) => (other.restMib < best.restMib ? other : best), sloping);
  const isStep = stepping.restMib < restShareMax * sloping.restMib;
  const { perHour, perHourAtMost, bases } = isStep ? stepping : sloping;
  const heights = levels.map(({ mib }) => mib);
  return {
    ...{ perHour, perHourAtMost },
    stepMib: isStep ? (bases[1] ?? 0) - (bases[0] ?? 0) : 0,
    rangeMib: Math.max(...heights) - Math.min(...heights),
  };
}

/** The windows are counted from the end: what is left over is at the beginning. */
function levelsOf(looks: Look[]): Look[] {
  const endsAt = looks.at(-1)?.minute ?? 0;
  const windows = Map.groupBy(looks, ({ minute }) => Math.floor((endsAt - minute) / windowMinutes));
  return [...windows].map(([window, inIt]) => ({
    minute: endsAt - (window + 0.5) * windowMinutes,
    mib: quantile(
      inIt.map(({ mib }) => mib),
      shareBelow,
    ),
  }));
}

interface Fitted extends Pick<Rise, "perHour" | "perHourAtMost"> {
  /** The height of each part at minute 0. */
  bases: number[];
  /** What the slope and the heights do not tell. */
  restMib: number;
}

/** One slope for all parts, each at its own height. */
function fitted(parts: Look[][]): Fitted {
  const slopes = parts.flatMap(slopesIn).sort((a, b) => a - b);
  const perHour = median(slopes);
  const variance = parts.reduce((sum, { length }) => sum + (length * (length - 1) * (2 * length + 5)) / 18, 0);
  const rank = Math.ceil((slopes.length + deviations * Math.sqrt(variance)) / 2);
  const flat = parts.map((part) => part.map(({ minute, mib }) => mib - (perHour * minute) / 60));
  const bases = flat.map(median);
  const rests = flat.flatMap((part, index) => part.map((mib) => Math.abs(mib - (bases[index] ?? 0))));
  return {
    ...{ perHour, bases },
    perHourAtMost: slopes[Math.min(rank, slopes.length - 1)] ?? 0,
    restMib: rests.reduce((sum, each) => sum + each, 0),
  };
}

function slopesIn(levels: Look[]): number[] {
  return levels.flatMap((from, index) =>
    levels.slice(index + 1).map((to) => ((to.mib - from.mib) / (to.minute - from.minute)) * 60),
  );
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** What that share of them lies below; halfway between two where it falls between them. */
function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}
