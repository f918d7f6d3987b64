import { expect, test } from "bun:test";
import { sessionQuery } from "./session.ts";

test("the session is looked at on focus, stale after 10 s, and retried 3 times from 1 s up to 30 s", () => {
  const { refetchOnWindowFocus, staleTime, retry, retryDelay } = sessionQuery;
  expect([refetchOnWindowFocus, staleTime, retry]).toEqual([true, 10_000, 3]);
  expect([0, 1, 2, 9].map(retryDelay)).toEqual([1_000, 2_000, 4_000, 30_000]);
});
