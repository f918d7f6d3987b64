import { expect, test } from "bun:test";
import { createMetrics } from "../core/metrics.ts";
import { createRateLimits } from "./rate-limit.ts";

function limitOf(triesMax: number) {
  const clock = { now: 0 };
  const createRateLimit = createRateLimits({
    monotonicMs: () => clock.now,
    randomBytes: (bytes) => crypto.getRandomValues(bytes),
    enabled: true,
    metrics: createMetrics({ ms: () => 0 }),
  });
  return { clock, limit: createRateLimit({ name: "tries", triesMax, windowMs: 60_000 }) };
}

test("a full window says how long to wait, and opens again when it is over", async () => {
  const { clock, limit } = limitOf(2);
  expect([await limit.take("a"), await limit.take("a")]).toEqual([null, null]);
  clock.now = 45_500;
  expect([await limit.take("a"), await limit.waitSeconds("a")]).toEqual([15, 15]);
  expect([await limit.waitSeconds("b"), await limit.take("b")]).toEqual([null, null]);
  clock.now = 60_000;
  expect([await limit.waitSeconds("a"), await limit.take("a")]).toEqual([null, null]);
});

test("tries that come at once are counted one after another", async () => {
  const { limit } = limitOf(3);
  const answers = await Promise.all(Array.from({ length: 8 }, () => limit.take("a")));
  expect(answers).toEqual([null, null, null, 60, 60, 60, 60, 60]);
});

test("a try that was rightful is given back, and half a try where it was half", async () => {
  const { limit } = limitOf(1);
  await limit.take("a");
  await limit.giveBack("a");
  await limit.giveBack("a");
  expect([await limit.take("a"), await limit.take("a")]).toEqual([null, 60]);
  await limit.giveBack("a", 0.5);
  expect([await limit.take("a"), await limit.take("a")]).toEqual([null, 60]);
  await limit.giveBack("a", 0.5);
  expect(await limit.take("a")).toBe(60);
});

test("all but a few of 200,000 people are remembered, and of millions the latest, so memory does not grow", () => {
  const { clock, limit } = limitOf(1);
  const refusedOf = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => limit.waitSeconds(`person ${from + index}`)).filter(Boolean).length;
  for (let person = 0; person < 200_000; person += 1) limit.take(`person ${person}`);
  expect(refusedOf(0, 200_000)).toBeGreaterThan(199_990);
  clock.now = 1;
  for (let person = 200_000; person < 2_000_000; person += 1) limit.take(`person ${person}`);
  expect(refusedOf(1_999_000, 2_000_000)).toBeGreaterThan(990);
  expect(refusedOf(0, 200_000)).toBeLessThan(100);
});

test("nobody's tries or time are lost when few people become many", () => {
  const { clock, limit } = limitOf(2);
  for (let person = 0; person < 1_000; person += 1) {
    clock.now = person * 10;
    limit.take(`person ${person}`);
  }
  const tries = Array.from({ length: 1_000 }, (_, person) => [
    limit.take(`person ${person}`),
    limit.take(`person ${person}`),
  ]);
  const whole = 60_000;
  expect(tries).toEqual(tries.map((_, person) => [null, Math.ceil((person * 10 + whole - clock.now) / 1_000)]));
});

test("a name of any length is counted", () => {
  const { limit } = limitOf(1);
  expect([limit.take("n".repeat(10_000)), limit.take("n".repeat(10_000)), limit.take("n")]).toEqual([null, 60, null]);
});
