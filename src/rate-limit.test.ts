import { expect, test } from "bun:test";
import { createRateLimit } from "./rate-limit.ts";

function limitOf(triesMax: number) {
  const clock = { now: 0 };
  const attempts = createRateLimit({ triesMax, windowMs: 60_000, monotonicMs: () => clock.now, enabled: true });
  return { clock, attempts };
}

test("a full window says how long to wait, and opens again when it is over", () => {
  const { clock, attempts } = limitOf(2);
  expect([attempts.take("a"), attempts.take("a")]).toEqual([null, null]);
  clock.now = 45_500;
  expect(attempts.take("a")).toBe(15);
  expect(attempts.take("b")).toBeNull();
  clock.now = 60_000;
  expect(attempts.take("a")).toBeNull();
});

test("a try that was rightful is given back", () => {
  const { attempts } = limitOf(1);
  attempts.take("a");
  attempts.giveBack("a");
  attempts.giveBack("a");
  expect([attempts.take("a"), attempts.take("a")]).toEqual([null, 60]);
});

test("people beyond the bound push out the oldest, so memory does not grow", () => {
  const { attempts } = limitOf(1);
  attempts.take("first");
  for (let person = 0; person < 200_000; person += 1) attempts.take(`person ${person}`);
  expect(attempts.take("person 199999")).toBe(60);
  expect(attempts.take("first")).toBeNull();
});
