import { hashKey, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useLayoutEffect, useMemo } from "react";
import { rowsPerPageMax } from "../../src/http/limits.ts";
import { rowsCame, rowsLeft } from "../runtime/place.ts";
import type { List, Rows } from "./list.ts";
import { isPaged, type LoadedPages, queryClient } from "./query.ts";

/** Two screens: more would delay the response of a slow phone to a press. */
export const rowsPerPage = 30;

/** How many rows a list gets back when one returns to it. */
const rowsKeptMax = 1_000;

/** Rejects filters that the server does not know: it would ignore them. */
type Only<Known, Chosen extends Known> = Chosen & { [Filter in Exclude<keyof Chosen, keyof Known>]: never };

interface PagedRowsOptions {
  /** The text of a failure, if it is not the message that every failed call has (rules.md: Toasts). */
  failureText?: (error: Error) => string;
}

export type PagedRows<Row> = ReturnType<typeof usePagedRows<Row, object, object>>;

/**
 * A list that the server searches, sorts and pages (rules.md: Lists), as the props of `DataTable`, with `matchCount`.
 * While rows for other filters load, the previous ones stay, dimmed. Only the first page is counted.
 */
export function usePagedRows<Row, Filters, Chosen extends Filters>(
  list: List<Row, Filters>,
  filters: Only<Filters, Chosen>,
  { failureText = ({ message }) => message }: PagedRowsOptions = {},
) {
  const perPage = list.rowsPerPage ?? rowsPerPage;
  const queryKey = [...list.queryKey, { ...filters, limit: perPage }];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal, client, queryKey }) => {
      const ask = (cursor: string, limit: number) =>
        list.getPage(cursor === "" ? { ...filters, limit } : { ...filters, count: undefined, limit, cursor }, signal);
      if (pageParam !== "") return ask(pageParam, perPage);
      const loaded = client.getQueryData<LoadedPages>(queryKey)?.pages[0]?.rows.length;
      // The head of the page has already requested the first call.
      const firstMax = loaded === undefined ? perPage : rowsPerPageMax;
      return rowsFrom("", Math.max(perPage, loaded ?? rowsLeft(hashKey(queryKey))), ask, firstMax);
    },
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const name = hashKey(queryKey);
  useLayoutEffect(() => {
    if (rows.length > 0) rowsCame(name, Math.min(rows.length, rowsKeptMax));
  }, [name, rows]);
  const { isFetchNextPageError: moreFailed } = query;
  return {
    rows,
    state: query.isPending ? ("loading" as const) : query.isError ? ("error" as const) : ("ready" as const),
    errorMessage: query.error ? failureText(query.error) : undefined,
    onRetry: () => void query.refetch(),
    refreshing: query.isPlaceholderData || (query.isLoadingError && query.isFetching),
    // A failed page is requested again by a press; scrolling would request it without end.
    hasMore: query.hasNextPage && !moreFailed,
    loadingMore: query.isFetchingNextPage,
    onReachEnd: () => void query.fetchNextPage(),
    moreFailed,
    matchCount: pages?.[0]?.matchCount,
    totalCount: pages?.[0]?.totalCount,
  };
}

/** Fetches the rows from this cursor on, in as few calls as the server's maximum allows. */
async function rowsFrom<Row>(
  cursor: string,
  wanted: number,
  ask: (cursor: string, limit: number) => Promise<Rows<Row>>,
  firstMax: number,
): Promise<Rows<Row>> {
  const page = await ask(cursor, Math.min(wanted, firstMax));
  if (wanted <= firstMax || page.nextCursor === null) return page;
  const rest = await rowsFrom(page.nextCursor, wanted - firstMax, ask, rowsPerPageMax);
  return { ...page, rows: [...page.rows, ...rest.rows], nextCursor: rest.nextCursor };
}

/** Puts a row that a call returned into the list, for all loaded filters, before the refetch updates the rest. */
export function putRow<Row extends { id: number }>({ queryKey }: List<Row, never>, changed: NoInfer<Row>): void {
  queryClient.setQueriesData<LoadedPages<Row>>(
    { queryKey, predicate: ({ state }) => isPaged(state.data) },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          rows: page.rows.map((row) => (row.id === changed.id ? changed : row)),
        })),
      },
  );
}
