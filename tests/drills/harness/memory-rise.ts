/** A process's memory at one moment. */
export interface MemorySample {
  minute: number;
  mib: number;
}

/** In MiB an hour. */
export interface Rise {
  /** The median of the slopes between all pairs of windows. */
  perHour: number;
  /**
   * The upper bound of the slope with 95 % confidence. Limits apply to this value, so that noise cannot hide a leak.
   */
  perHourAtMost: number;
  /** The height of the one detected step, or 0. */
  stepMib: number;
  /** The difference between the highest and the lowest window, including steps. */
  rangeMib: number;
}

/** Periodic work such as backups must occur equally often in each window; otherwise the windows differ by it. */
export const windowMinutes = 3;

/**
 * The level of a window is its lower quartile. Memory left by a backup or a download is collected within a minute and a
 * leak is not, so a leak shows in the low values.
 */
const shareBelow = 0.25;

/** The minimum length of the parts before and after a step. */
const windowsOfPartMin = 3;

/** A step always improves the fit. It is accepted if the residual falls below this share of the residual without it. */
const restShareMax = 0.6;

/** 95 % of a normal distribution lie below this many standard deviations. */
const deviations = 1.645;

/**
 * Distinguishes a steady rise from noise and from a single step, such as a cache that fills or a heap that grows once.
 * The slope is the Theil-Sen estimator, which outliers do not affect; its confidence bound follows from Kendall's tau.
 * A step would affect it, so if the curve is two levels rather than a slope, only pairs of windows on the same side of
 * the step count.
 */
export function riseOf(samples: MemorySample[]): Rise {
  const levels = levelsOf(samples);
  const sloping = fitted([levels]);
  const splits = levels.slice(windowsOfPartMin, -windowsOfPartMin).map((_, index) => {
    const at = index + windowsOfPartMin;
    // The window that contains the step belongs to neither side.
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

/** Windows are counted from the end, so a partial window is at the beginning. */
function levelsOf(samples: MemorySample[]): MemorySample[] {
  const endsAt = samples.at(-1)?.minute ?? 0;
  const windows = Map.groupBy(samples, ({ minute }) => Math.floor((endsAt - minute) / windowMinutes));
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
  /** The sum of the absolute residuals. */
  restMib: number;
}

/** Fits one slope to all parts, each with its own height. */
function fitted(parts: MemorySample[][]): Fitted {
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

function slopesIn(levels: MemorySample[]): number[] {
  return levels.flatMap((from, index) =>
    levels.slice(index + 1).map((to) => ((to.mib - from.mib) / (to.minute - from.minute)) * 60),
  );
}

function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share lies, halfway between two values if it falls between them. */
function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}
