import { type Query, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { Rows } from "./list.ts";

/**
 * The server creates one client for each page that it renders; the islands of the browser share `queryClient`. Unused
 * data is kept for the library's default: 5 minutes in the browser, and without a timer on the server, because timers
 * would keep each rendered page in memory.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
      },
      // Without a network a mutation fails at once. By default it would wait and run later: credits granted a minute
      // after the dialog was cancelled.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

export const queryClient = createQueryClient();

/** The loaded pages of a list (paged-rows.ts). */
export interface LoadedPages<Row = unknown> {
  pages: Rows<Row>[];
  pageParams: unknown[];
}

/** Fetches these queries and lists again after a change, the lists for all their filters. */
export async function refresh(...changed: { queryKey: QueryKey }[]): Promise<void> {
  const refetch = ({ queryKey }: { queryKey: QueryKey }) => {
    const loaded = { queryKey, predicate: ({ state }: Query) => isPaged(state.data) };
    queryClient.setQueriesData<LoadedPages>(loaded, (list) => list && asOnePage(list));
    return queryClient.invalidateQueries({ queryKey });
  };
  await Promise.all(changed.map(refetch));
}

export function isPaged(data: unknown): data is LoadedPages {
  return Array.isArray(Object(data).pages);
}

/** One page is fetched in one call, and forty would be fetched one after another. The rows stay on the screen. */
function asOnePage({ pages, pageParams }: LoadedPages): LoadedPages {
  const rows = pages.flatMap((page) => page.rows);
  return { pages: [{ ...pages[0], rows, nextCursor: pages.at(-1)?.nextCursor ?? null }], pageParams: [pageParams[0]] };
}
