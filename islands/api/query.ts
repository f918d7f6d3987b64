import { type Query, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { Rows } from "./list.ts";

/**
 * A client of its own for each page that the server renders; the browser has `queryClient`, which all islands share. How long it keeps what nobody
 * looks at is left to the library: 5 minutes in the browser, and on the server no time is set, because timers would hold each rendered page
 * in memory for that long.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
      },
      // Without a network what was pressed fails at once, and says so. By default it would wait, and be done when nobody expects it:
      // credits granted a minute after the dialog was cancelled.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

export const queryClient = createQueryClient();

/** What is loaded of a list that the server pages (paged-rows.ts). */
export interface LoadedPages<Row = unknown> {
  pages: Rows<Row>[];
  pageParams: unknown[];
}

/** After something was changed: these queries are fetched again, and these lists whatever their filters. */
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

/** One page is fetched again as a whole, where forty would be one after another. The rows stay, and what is on the screen with them. */
function asOnePage({ pages, pageParams }: LoadedPages): LoadedPages {
  const rows = pages.flatMap((page) => page.rows);
  return { pages: [{ ...pages[0], rows, nextCursor: pages.at(-1)?.nextCursor ?? null }], pageParams: [pageParams[0]] };
}
