import { expect, test } from "bun:test";
import { riseOf } from "./memory-rise.ts";

const minutes = 42;
const looksPerMinute = 4;

/** Noise as a server's, the same in every run: looks are up to 2 MiB off, now and then one far more. */
function curveOf(mibAt: (minute: number) => number, seed: number) {
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  return Array.from({ length: minutes * looksPerMinute }, (_, index) => {
    const minute = index / looksPerMinute;
    const noise = 2 * (random() + random() - 1) + (random() < 0.04 ? 40 : 0);
    return { minute, mib: 80 + mibAt(minute) + noise };
  });
}

const risesOf = (mibAt: (minute: number) => number) =>
  Array.from({ length: 20 }, (_, index) => riseOf(curveOf(mibAt, 7_919 * (index + 1))));
const atMost = (rises: { perHourAtMost: number }[]) => rises.map(({ perHourAtMost }) => perHourAtMost);

test("a level curve rises by less than 5 MiB an hour, whatever its noise", () => {
  expect(Math.max(...atMost(risesOf(() => 0)))).toBeLessThan(5);
});

test("a leak of 5 MiB an hour is not shown to be less, but for one time in 20; one of 6 never", () => {
  const found = atMost(risesOf((minute) => (5 * minute) / 60)).filter((perHour) => perHour >= 5);
  expect(found.length).toBeGreaterThanOrEqual(19);
  expect(Math.min(...atMost(risesOf((minute) => (6 * minute) / 60)))).toBeGreaterThan(5);
});

test("a step is told apart from a slope, wherever it is", () => {
  for (const stepAt of [10, 14, 21, 22.5, 32]) {
    const rises = risesOf((minute) => (minute < stepAt ? 0 : 6));
    expect(Math.max(...atMost(rises))).toBeLessThan(5);
    for (const { stepMib } of rises) expect(Math.abs(stepMib - 6)).toBeLessThan(1.5);
  }
});

test("a leak is found beside a step", () => {
  const rises = risesOf((minute) => (8 * minute) / 60 + (minute < 20 ? 0 : 6));
  expect(Math.min(...atMost(rises))).toBeGreaterThan(5);
});

test("what is collected and grows again is no leak", () => {
  for (const everyMinutes of [2, 5, 7]) {
    expect(Math.max(...atMost(risesOf((minute) => (2 * (minute % everyMinutes)) / everyMinutes)))).toBeLessThan(5);
  }
});

test("what is held for a minute after each backup is no leak, and a leak beside it is found", () => {
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

test("a leak that begins late shows in how far the levels are from each other", () => {
  const rises = risesOf((minute) => Math.max(0, minute - 28));
  for (const { rangeMib } of rises) expect(rangeMib).toBeGreaterThan(11);
  for (const { rangeMib } of risesOf((minute) => (minute < 21 ? 0 : 6))) expect(rangeMib).toBeLessThan(10);
});
