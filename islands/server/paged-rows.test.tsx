import { afterEach, expect, test } from "bun:test";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { PanelState } from "../root/panel-state.tsx";
import { type ApiFailure, failureText } from "./api.ts";
import { putRow, rowsPerPage, usePagedRows } from "./paged-rows.ts";
import { queryClient, refresh } from "./query.ts";

interface Row {
  id: number;
  name: string;
}

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
  queryClient.clear();
});

function serve(answer: (url: URL) => Response): URL[] {
  const asked: URL[] = [];
  globalThis.fetch = (async (path: string) => {
    const url = new URL(path, "http://localhost");
    asked.push(url);
    return answer(url);
  }) as unknown as typeof fetch;
  return asked;
}

function page(rows: Row[], nextCursor?: string, matchCount?: number): Response {
  const headers = new Headers();
  if (nextCursor) headers.set("link", `</api/x?cursor=${nextCursor}>; rel="next"`);
  if (matchCount !== undefined) headers.set("x-match-count", String(matchCount));
  return Response.json(rows, { headers });
}

function list(search = "") {
  const wrapper = ({ children }: { children: ReactNode }) => <PanelState>{children}</PanelState>;
  const saying = (error: unknown) => failureText(error, `HTTP error! status: ${(error as ApiFailure).status}`);
  return renderHook(({ search }) => usePagedRows<Row>("/api/x", { search }, { counted: true, failureText: saying }), {
    wrapper,
    initialProps: { search },
  });
}

test("pages follow each other by cursor, and only the first is counted", async () => {
  const asked = serve(({ searchParams }) =>
    searchParams.get("cursor") ? page([{ id: 2, name: "b" }]) : page([{ id: 1, name: "a" }], "next", 2),
  );
  const { result } = list();
  await waitFor(() => expect(result.current.state).toBe("ready"));
  expect([result.current.hasMore, result.current.matchCount]).toEqual([true, 2]);
  act(() => result.current.onReachEnd());
  await waitFor(() => expect(result.current.rows.map(({ id }) => id)).toEqual([1, 2]));
  expect([result.current.hasMore, result.current.matchCount]).toEqual([false, 2]);
  expect(asked.map(({ search }) => search)).toEqual([
    `?limit=${rowsPerPage}&count=true`,
    `?limit=${rowsPerPage}&cursor=next`,
  ]);
});

test("while another search is on its way, the rows of the last one stay", async () => {
  serve(({ searchParams }) => page([{ id: 1, name: searchParams.get("search") ?? "all" }]));
  const { result, rerender } = list();
  await waitFor(() => expect(result.current.state).toBe("ready"));
  rerender({ search: "owl" });
  expect([result.current.rows[0]?.name, result.current.refreshing]).toEqual(["all", true]);
  await waitFor(() => expect(result.current.rows[0]?.name).toBe("owl"));
  expect(result.current.refreshing).toBeFalse();
});

test("a page that fails keeps the rows, and is not asked for again by scrolling", async () => {
  serve(({ searchParams }) =>
    searchParams.get("cursor") ? new Response("", { status: 500 }) : page([{ id: 1, name: "a" }], "next"),
  );
  const { result } = list();
  await waitFor(() => expect(result.current.hasMore).toBeTrue());
  act(() => result.current.onReachEnd());
  await waitFor(() => expect(result.current.moreFailed).toBeTrue());
  expect([result.current.rows.length, result.current.hasMore]).toEqual([1, false]);
});

test("a list that cannot be loaded says so in the screen's words", async () => {
  serve(() => new Response("<h1>Oops</h1>", { status: 500 }));
  const { result } = list();
  await waitFor(() => expect(result.current.state).toBe("error"));
  expect(result.current.errorMessage).toBe("HTTP error! status: 500");
});

test("what a call answered about a row stands in the list at once", async () => {
  serve(() =>
    page([
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ]),
  );
  const { result } = list();
  await waitFor(() => expect(result.current.rows).toHaveLength(2));
  act(() => putRow("/api/x", { id: 2, name: "changed" }));
  await waitFor(() => expect(result.current.rows.map(({ name }) => name)).toEqual(["a", "changed"]));
});

/** 1,000 rows, paged as the server does it: a cursor is the last row before the page. */
function serveThousand(rename: (row: Row) => Row = (row) => row) {
  const all = Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, name: "as it was" }));
  return serve(({ searchParams }) => {
    const start = Number(searchParams.get("cursor") ?? 0);
    const end = start + Number(searchParams.get("limit"));
    return page(all.slice(start, end).map(rename), end < all.length ? String(end) : undefined, all.length);
  });
}

test("after a change all that is loaded is asked for again in few calls, and no row leaves the list meanwhile", async () => {
  let changed = false;
  const asked = serveThousand((row) => (changed && row.id === 235 ? { ...row, name: "changed" } : row));
  const { result } = list();
  for (let pages = 1; pages <= 8; pages++) {
    await waitFor(() => expect(result.current.rows).toHaveLength(pages * rowsPerPage));
    if (pages < 8) act(() => result.current.onReachEnd());
  }
  asked.length = 0;
  changed = true;
  const lengths = new Set<number>();
  const stop = queryClient.getQueryCache().subscribe(() => lengths.add(result.current.rows.length));
  await act(() => refresh("/api/x"));
  stop();
  expect(asked.map(({ search }) => search)).toEqual(["?limit=200&count=true", "?limit=40&cursor=200"]);
  await waitFor(() => expect(result.current.rows[234]?.name).toBe("changed"));
  expect([...lengths]).toEqual([240]);
  expect(result.current.rows.map(({ id }) => id)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1));
  act(() => result.current.onReachEnd());
  await waitFor(() => expect(result.current.rows).toHaveLength(270));
  expect(asked.at(-1)?.search).toBe(`?limit=${rowsPerPage}&cursor=240`);
});

test("a list that is not shown is asked for again when it is shown next", async () => {
  const asked = serveThousand();
  const { result, rerender } = list();
  await waitFor(() => expect(result.current.state).toBe("ready"));
  rerender({ search: "owl" });
  await waitFor(() => expect(result.current.refreshing).toBeFalse());
  await act(() => refresh("/api/x"));
  expect(asked.map(({ searchParams }) => searchParams.get("search"))).toEqual([null, "owl", "owl"]);
  rerender({ search: "" });
  await waitFor(() => expect(asked.at(-1)?.searchParams.get("search")).toBeNull());
});
