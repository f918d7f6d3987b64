import { expect, test } from "bun:test";
import { riseOf } from "./memory-rise.ts";

const minutes = 42;
const samplesPerMinute = 4;

/** Deterministic noise like a server's: samples are up to 2 MiB off, and a few are far more. */
function curveOf(mibAt: (minute: number) => number, seed: number) {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return Array.from({ length: minutes * samplesPerMinute }, (_, index) => {
    const minute = index / samplesPerMinute;
    const noise = 2 * (random() + random() - 1) + (random() < 0.04 ? 40 : 0);
    return { minute, mib: 80 + mibAt(minute) + noise };
  });
}

const risesOf = (mibAt: (minute: number) => number) =>
  Array.from({ length: 20 }, (_, index) => riseOf(curveOf(mibAt, 7_919 * (index + 1))));
const atMost = (rises: { perHourAtMost: number }[]) => rises.map(({ perHourAtMost }) => perHourAtMost);

test("a level curve with noise rises by less than 5 MiB an hour", () => {
  expect(Math.max(...atMost(risesOf(() => 0)))).toBeLessThan(5);
});

test("a leak of 5 MiB an hour is detected 19 times in 20, and one of 6 MiB always", () => {
  const found = atMost(risesOf((minute) => (5 * minute) / 60)).filter((perHour) => perHour >= 5);
  expect(found.length).toBeGreaterThanOrEqual(19);
  expect(Math.min(...atMost(risesOf((minute) => (6 * minute) / 60)))).toBeGreaterThan(5);
});

test("a step is distinguished from a slope wherever it occurs", () => {
  for (const stepAt of [10, 14, 21, 22.5, 32]) {
    const rises = risesOf((minute) => (minute < stepAt ? 0 : 6));
    expect(Math.max(...atMost(rises))).toBeLessThan(5);
    for (const { stepMib } of rises) expect(Math.abs(stepMib - 6)).toBeLessThan(1.5);
  }
});

test("a leak is detected despite a step", () => {
  const rises = risesOf((minute) => (8 * minute) / 60 + (minute < 20 ? 0 : 6));
  expect(Math.min(...atMost(rises))).toBeGreaterThan(5);
});

test("memory that is collected and grows again is not a leak", () => {
  for (const everyMinutes of [2, 5, 7]) {
    expect(Math.max(...atMost(risesOf((minute) => (2 * (minute % everyMinutes)) / everyMinutes)))).toBeLessThan(5);
  }
});

test("memory held for a minute after each backup is not a leak and hides no leak", () => {
  const heldMinutes = [1, 0.3, 0.6, 0.2, 1.1, 0.4, 0.9];
  const left = (minute: number) => {
    const backup = Math.floor(minute / 1.5);
    return minute - backup * 1.5 < (heldMinutes[backup % heldMinutes.length] as number) ? 4 : 0;
  };
  for (const { perHourAtMost, stepMib } of risesOf(left)) {
    expect(perHourAtMost).toBeLessThan(5);
    expect(Math.abs(stepMib)).toBeLessThan(1.5);
  }
  expect(Math.min(...atMost(risesOf((minute) => left(minute) + (6 * minute) / 60)))).toBeGreaterThan(5);
});

test("a leak that begins late shows in the range of the levels", () => {
  const rises = risesOf((minute) => Math.max(0, minute - 28));
  for (const { rangeMib } of rises) expect(rangeMib).toBeGreaterThan(11);
  for (const { rangeMib } of risesOf((minute) => (minute < 21 ? 0 : 6))) expect(rangeMib).toBeLessThan(10);
});
