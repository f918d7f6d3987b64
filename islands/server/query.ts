import { type Query, QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { SessionView } from "../../src/accounts/schema.ts";
import type { ResellerProfile } from "../../src/resellers/schema.ts";
import { getJson, type Rows } from "./api.ts";

const cacheMsMax = 5 * 60_000;
const sessionStaleMs = 10_000;
const sessionRetries = 3;
const retryMsMin = 1_000;
const retryMsMax = 30_000;

export const sessionPath = "/api/auth/session";

/** A client of its own for each page that the server renders; the browser has `queryClient`, which all islands share. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey, signal }) => getJson(pathOf(queryKey), { signal }),
        retry: false,
        refetchOnWindowFocus: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: cacheMsMax,
      },
      // Without a network what was pressed fails at once, and says so. By default it would wait, and be done when nobody expects it:
      // credits granted a minute after the dialog was cancelled.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

export const queryClient = createQueryClient();

/**
 * A key is the path, and after it what its query string carries: `["/api/admin/keys/manage", { search }]`. A filter that is empty or
 * 'all' is not sent (section 7).
 */
export function pathOf([path, filters]: QueryKey): string {
  const sent = Object.entries(Object(filters)).filter(([, value]) => value != null && value !== "" && value !== "all");
  const query = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? String(path) : `${path}?${query}`;
}

/** Section 7: the session is looked at again on focus, is stale after 10 s, and is tried up to 3 times more. */
export const sessionQuery = queryOptions({
  queryKey: [sessionPath],
  queryFn: ({ signal }) => getJson<SessionView>(sessionPath, { signal }),
  staleTime: sessionStaleMs,
  refetchOnWindowFocus: true,
  retry: sessionRetries,
  retryDelay: (failures) => Math.min(retryMsMin * 2 ** failures, retryMsMax),
});

/** A reseller's own: the frame and the screens read the one balance, which is fetched again after a purchase. */
export const profileQuery = queryOptions<ResellerProfile>({ queryKey: ["/api/reseller/profile"] });

/** What is loaded of a list that the server pages (paged-rows.ts). */
export interface LoadedPages<Row = unknown> {
  pages: Rows<Row>[];
  pageParams: unknown[];
}

/** After something was changed: every list and figure under these paths is fetched again, whatever its filters. */
export function refresh(...paths: string[]): Promise<void> {
  const isUnder = ({ queryKey }: { queryKey: QueryKey }) => paths.includes(String(queryKey[0]));
  const isPagedUnder = (query: Query) => isUnder(query) && isPaged(query.state.data);
  queryClient.setQueriesData<LoadedPages>({ predicate: isPagedUnder }, (list) => list && asOnePage(list));
  return queryClient.invalidateQueries({ predicate: isUnder });
}

export function isPaged(data: unknown): data is LoadedPages {
  return Array.isArray(Object(data).pages);
}

/** One page is fetched again as a whole, where forty would be one after another. The rows stay, and what is on the screen with them. */
function asOnePage({ pages, pageParams }: LoadedPages): LoadedPages {
  const rows = pages.flatMap((page) => page.rows);
  return { pages: [{ ...pages[0], rows, nextCursor: pages.at(-1)?.nextCursor ?? null }], pageParams: [pageParams[0]] };
}
