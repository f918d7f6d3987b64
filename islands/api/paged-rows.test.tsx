import { afterEach, expect, test } from "bun:test";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import type { ResellerKey } from "../../src/keys/schema.ts";
import { startedKey } from "../../tests/key-times.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { type ApiFailure, failureText } from "./api.ts";
import { ownKeyList } from "./calls/keys.ts";
import { restoreFetch, stubFetch } from "./fetch-stub.ts";
import { putRow, rowsPerPage, usePagedRows } from "./paged-rows.ts";
import { queryClient, refresh } from "./query.ts";

afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function row(id: number, keyString: string): ResellerKey {
  return {
    ...{ id, keyString, game: "FREE FIRE", status: "ACTIVE", deviceLimit: 1, devices: 0, orderId: null, note: null },
    ...{ createdAt: "2025-03-05T12:00:00.000Z", expiryDate: "2025-04-04T12:00:00.000Z", ...startedKey },
  };
}

/** The query string that the list is requested with. */
function serve(respond: (query: URLSearchParams) => Response): URLSearchParams[] {
  const queries: URLSearchParams[] = [];
  stubFetch({
    "GET /api/reseller/keys": ({ query }) => {
      queries.push(query);
      return respond(query);
    },
  });
  return queries;
}

function page(rows: ResellerKey[], nextCursor?: string, matchCount?: number): Response {
  const headers = new Headers();
  if (nextCursor) headers.set("link", `</api/reseller/keys?cursor=${nextCursor}>; rel="next"`);
  if (matchCount !== undefined) headers.set("x-match-count", String(matchCount));
  return Response.json(rows, { headers });
}

function list(search = "") {
  const wrapper = ({ children }: { children: ReactNode }) => <PanelState>{children}</PanelState>;
  const textOf = (error: unknown) => failureText(error, `HTTP error! status: ${(error as ApiFailure).status}`);
  return renderHook(({ search }) => usePagedRows(ownKeyList, { search, count: "true" }, { failureText: textOf }), {
    wrapper,
    initialProps: { search },
  });
}

test("pages follow each other by cursor, and only the first is counted", async () => {
  const queries = serve((query) => (query.get("cursor") ? page([row(2, "b")]) : page([row(1, "a")], "next", 2)));
  const { result } = list();
  await waitFor(() => expect(result.current.state).toBe("ready"));
  expect([result.current.hasMore, result.current.matchCount]).toEqual([true, 2]);
  act(() => result.current.onReachEnd());
  await waitFor(() => expect(result.current.rows.map(({ id }) => id)).toEqual([1, 2]));
  expect([result.current.hasMore, result.current.matchCount]).toEqual([false, 2]);
  expect(queries.map(String)).toEqual([`count=true&limit=${rowsPerPage}`, `limit=${rowsPerPage}&cursor=next`]);
});

test("while another search loads, the rows of the last one stay", async () => {
  serve((query) => page([row(1, query.get("search") ?? "all")]));
  const { result, rerender } = list();
  await waitFor(() => expect(result.current.state).toBe("ready"));
  rerender({ search: "owl" });
  expect([result.current.rows[0]?.keyString, result.current.refreshing]).toEqual(["all", true]);
  await waitFor(() => expect(result.current.rows[0]?.keyString).toBe("owl"));
  expect(result.current.refreshing).toBeFalse();
});

test("a page that fails keeps the rows, and scrolling does not request it again", async () => {
  serve((query) => (query.get("cursor") ? new Response("", { status: 500 }) : page([row(1, "a")], "next")));
  const { result } = list();
  await waitFor(() => expect(result.current.hasMore).toBeTrue());
  act(() => result.current.onReachEnd());
  await waitFor(() => expect(result.current.moreFailed).toBeTrue());
  expect([result.current.rows.length, result.current.hasMore]).toEqual([1, false]);
});

test("a list that cannot be loaded says so in the screen's text", async () => {
  serve(() => new Response("<h1>Oops</h1>", { status: 500 }));
  const { result } = list();
  await waitFor(() => expect(result.current.state).toBe("error"));
  expect(result.current.errorMessage).toBe("HTTP error! status: 500");
});

test("a row that a call returned is in the list at once", async () => {
  serve(() => page([row(1, "a"), row(2, "b")]));
  const { result } = list();
  await waitFor(() => expect(result.current.rows).toHaveLength(2));
  act(() => putRow(ownKeyList, row(2, "changed")));
  await waitFor(() => expect(result.current.rows.map(({ keyString }) => keyString)).toEqual(["a", "changed"]));
});

/** 1,000 rows, paged as the server does it: a cursor is the last row before the page. */
function serveThousand(rename: (row: ResellerKey) => ResellerKey = (row) => row) {
  const all = Array.from({ length: 1_000 }, (_, index) => row(index + 1, "as it was"));
  return serve((query) => {
    const start = Number(query.get("cursor") ?? 0);
    const end = start + Number(query.get("limit"));
    return page(all.slice(start, end).map(rename), end < all.length ? String(end) : undefined, all.length);
  });
}

test("after a change all loaded rows are fetched again in few calls, and no row leaves the list meanwhile", async () => {
  let changed = false;
  const queries = serveThousand((row) => (changed && row.id === 235 ? { ...row, keyString: "changed" } : row));
  const { result } = list();
  for (let pages = 1; pages <= 8; pages++) {
    await waitFor(() => expect(result.current.rows).toHaveLength(pages * rowsPerPage));
    if (pages < 8) act(() => result.current.onReachEnd());
  }
  queries.length = 0;
  changed = true;
  const lengths = new Set<number>();
  const stop = queryClient.getQueryCache().subscribe(() => lengths.add(result.current.rows.length));
  await act(() => refresh(ownKeyList));
  stop();
  expect(queries.map(String)).toEqual(["count=true&limit=200", "limit=40&cursor=200"]);
  await waitFor(() => expect(result.current.rows[234]?.keyString).toBe("changed"));
  expect([...lengths]).toEqual([240]);
  expect(result.current.rows.map(({ id }) => id)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1));
  act(() => result.current.onReachEnd());
  await waitFor(() => expect(result.current.rows).toHaveLength(270));
  expect(String(queries.at(-1))).toBe(`limit=${rowsPerPage}&cursor=240`);
});

test("a changed list that is not shown is fetched again when it is shown next", async () => {
  const queries = serveThousand();
  const { result, rerender } = list();
  await waitFor(() => expect(result.current.state).toBe("ready"));
  rerender({ search: "owl" });
  await waitFor(() => expect(result.current.refreshing).toBeFalse());
  await act(() => refresh(ownKeyList));
  expect(queries.map((query) => query.get("search"))).toEqual([null, "owl", "owl"]);
  rerender({ search: "" });
  await waitFor(() => expect(queries.at(-1)?.get("search")).toBeNull());
});

test("a filter that the server does not know is a type error, wherever it comes from", async () => {
  const queries = serve(() => page([]));
  const filters = { search: "owl", find: "owl" };
  const wrapper = ({ children }: { children: ReactNode }) => <PanelState>{children}</PanelState>;
  // @ts-expect-error: there is no such filter.
  renderHook(() => usePagedRows(ownKeyList, filters), { wrapper });
  await waitFor(() => expect(queries.map((query) => query.get("find"))).toEqual(["owl"]));
});
