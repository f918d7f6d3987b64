import { afterEach, expect, test } from "bun:test";
import { restoreFetch, stubFetch } from "./fetch-stub.ts";
import { listOf } from "./list.ts";

afterEach(restoreFetch);

const { signal } = new AbortController();

test("the next cursor of a list is in its Link header", async () => {
  const link = '</api/admin/tokens?limit=1&cursor=a%2Bb>; rel="next"';
  const { responses } = stubFetch({ "GET /api/admin/tokens": () => Response.json([], { headers: { link } }) });
  const tokens = listOf("GET /api/admin/tokens");
  expect(await tokens.getPage({ limit: 1 }, signal)).toEqual({ rows: [], nextCursor: "a+b" });
  responses["GET /api/admin/tokens"] = () => [];
  expect(await tokens.getPage({ limit: 1, cursor: "a+b" }, signal)).toEqual({ rows: [], nextCursor: null });
});

test("a list says how many rows match if it was asked to count", async () => {
  const headers = { "x-match-count": "4200" };
  stubFetch({ "GET /api/reseller/keys": () => Response.json([], { headers }) });
  const page = await listOf("GET /api/reseller/keys").getPage({ limit: 1, count: "true" }, signal);
  expect(page.matchCount).toBe(4_200);
});
