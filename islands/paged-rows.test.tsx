import { afterEach, expect, test } from "bun:test";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { type ApiFailure, failureText } from "./api.ts";
import { putRow, usePagedRows } from "./paged-rows.ts";
import { PanelState } from "./panel-state.tsx";
import { queryClient } from "./query.ts";

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
  expect(asked.map(({ search }) => search)).toEqual(["?limit=30&count=true", "?limit=30&cursor=next"]);
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
