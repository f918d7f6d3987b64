import { expect, test } from "bun:test";
import { onlineManager } from "@tanstack/react-query";
import { createQueryClient, pathOf, sessionQuery } from "./query.ts";

test("a key is its path, and a filter that is empty or 'all' is not sent", () => {
  expect(pathOf(["/api/admin/stats"])).toBe("/api/admin/stats");
  expect(pathOf(["/api/admin/keys/manage", { search: "a b", game: "all", status: "", limit: 50, cursor: null }])).toBe(
    "/api/admin/keys/manage?search=a+b&limit=50",
  );
});

test("queries have the defaults of section 9: no retry, no refetch on focus, never stale, kept for 5 minutes", () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 300_000,
  });
});

test("what is pressed without a network fails then, and is not done later", async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const pressed = client
    .getMutationCache()
    .build(client, { mutationFn: () => Promise.reject(new Error("no network")) })
    .execute(undefined);
  await expect(pressed).rejects.toThrow("no network");
  onlineManager.setOnline(true);
});

test("the session is looked at on focus, stale after 10 s, and retried 3 times from 1 s up to 30 s", () => {
  const { refetchOnWindowFocus, staleTime, retry, retryDelay } = sessionQuery;
  expect([refetchOnWindowFocus, staleTime, retry]).toEqual([true, 10_000, 3]);
  const delays = [0, 1, 2, 9].map((failures) => (retryDelay as (failures: number) => number)(failures));
  expect(delays).toEqual([1_000, 2_000, 4_000, 30_000]);
});
