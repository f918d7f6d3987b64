import { expect, test } from "bun:test";
import { onlineManager } from "@tanstack/react-query";
import { createQueryClient } from "./query.ts";

test("fetched data is kept for 5 minutes, never stale, and not fetched again on focus or after a failure", () => {
  const client = createQueryClient();
  expect(client.getDefaultOptions().queries).toMatchObject({
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  expect(client.getQueryCache().build(client, { queryKey: ["fetched"] })).toHaveProperty("gcTime", 300_000);
});

test("an action without a network fails at once, and is not done later", async () => {
  onlineManager.setOnline(false);
  const client = createQueryClient();
  const pressed = client
    .getMutationCache()
    .build(client, { mutationFn: () => Promise.reject(new Error("no network")) })
    .execute(undefined);
  await expect(pressed).rejects.toThrow("no network");
  onlineManager.setOnline(true);
});
