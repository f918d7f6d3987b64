import { beforeEach, expect, test } from "bun:test";
import { createPaces, type Pace } from "./rate-limit.ts";

const rule = { atOnce: 3, perSecond: 100 };

let nowMs: number;
let pace: Pace;
beforeEach(() => {
  nowMs = 0;
  pace = createPaces({ monotonicMs: () => nowMs, enabled: true })(rule);
});

const requests = (count: number, person: string, of = pace) =>
  Promise.all(Array.from({ length: count }, () => of(person)));

test("a person's first requests are handled at once, and the next ones wait for their turns", async () => {
  expect(await requests(5, "a")).toEqual([false, false, false, true, true]);
  expect(await requests(3, "b")).toEqual([false, false, false]);
});

test("after a second without requests, so many are handled at once again", async () => {
  await requests(4, "a");
  nowMs += 1_000;
  expect(await requests(4, "a")).toEqual([false, false, false, true]);
});

test("a person who sends no faster than the pace never waits", async () => {
  await requests(3, "a");
  for (let sent = 0; sent < 10; sent += 1) {
    nowMs += 1_000 / rule.perSecond;
    expect(await pace("a")).toBeFalse();
  }
});

test("a request that would wait for more than 15 seconds is refused, and takes no turn", async () => {
  const waiting = Array.from({ length: 3 + 1_500 }, () => pace("a"));
  for (let sent = 0; sent < 3; sent += 1) await expect(pace("a")).rejects.toMatchObject({ code: "TOO_MANY_TRIES" });
  nowMs += 1_000 / rule.perSecond;
  waiting.push(pace("a"));
  await expect(pace("a")).rejects.toMatchObject({ code: "TOO_MANY_TRIES" });
  expect(await waiting[0]).toBeFalse();
});

test("without limits nothing waits", async () => {
  const off = createPaces({ monotonicMs: () => nowMs, enabled: false })(rule);
  expect(await requests(5, "a", off)).toEqual([false, false, false, false, false]);
});
