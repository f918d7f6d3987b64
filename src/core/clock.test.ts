import { expect, test } from "bun:test";
import fc from "fast-check";
import { isoOf, msPerDay, neverBackwards } from "./clock.ts";

function clockFrom(startingAt: number) {
  const system = { now: startingAt };
  const behind: { systemMs: number; latestMs: number }[] = [];
  const now = neverBackwards({
    system: () => system.now,
    startingAt,
    fallenBehind: (times) => void behind.push(times),
  });
  return { system, behind, now };
}

test("time stands still while the system clock is behind, and continues once it has caught up", () => {
  const { system, now } = clockFrom(100_000);
  system.now = 160_000;
  expect(now()).toBe(160_000);
  system.now = 40_000;
  expect(now()).toBe(160_000);
  system.now = 159_999;
  expect(now()).toBe(160_000);
  system.now = 160_001;
  expect(now()).toBe(160_001);
});

test("a clock behind the database's newest time starts at that time", () => {
  const { system, now } = clockFrom(100_000);
  system.now = 5;
  expect(now()).toBe(100_000);
});

test("falling behind by a second or more is reported once each time", () => {
  const { system, behind, now } = clockFrom(100_000);
  system.now = 99_500;
  now();
  expect(behind).toEqual([]);
  for (const systemMs of [99_000, 50_000]) {
    system.now = systemMs;
    now();
  }
  expect(behind).toEqual([{ systemMs: 99_000, latestMs: 100_000 }]);
  for (const systemMs of [200_000, 150_000]) {
    system.now = systemMs;
    now();
  }
  expect(behind).toHaveLength(2);
});

test("a time is formatted as by Date, for any year and for more days than are cached", () => {
  const bounds = { min: -8_640_000_000_000_000, max: 8_640_000_000_000_000, noNaN: true };
  const near = fc.integer({ min: 0, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(
      fc.oneof(
        near,
        fc.maxSafeInteger().filter((ms) => Math.abs(ms) <= bounds.max),
        fc.double(bounds),
      ),
      (ms) => {
        expect(isoOf(ms)).toBe(new Date(ms).toISOString());
      },
    ),
    { numRuns: 2_000 },
  );
  for (let day = 0; day < 12_000; day += 1) {
    expect(isoOf(day * msPerDay + day)).toBe(new Date(day * msPerDay + day).toISOString());
  }
  expect(() => isoOf(Number.NaN)).toThrow(RangeError);
});
