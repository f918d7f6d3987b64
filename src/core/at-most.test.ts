import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { atMost } from "./clock.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("finished work leaves no timer", async () => {
  await atMost(1_000, Promise.resolve());
  expect(jest.getTimerCount()).toBe(0);
});

test("work beyond the limit continues unobserved, even if it fails", async () => {
  const work = Promise.withResolvers<void>();
  const waited = atMost(1_000, work.promise);
  jest.advanceTimersByTime(1_000);
  await waited;
  work.reject(new Error("too late"));
});

test("an error within the limit is thrown", async () => {
  const failed = atMost(Number.POSITIVE_INFINITY, Promise.reject(new Error("in time")));
  expect(await failed.catch((error: Error) => error.message)).toBe("in time");
});
