import { type Query, QueryClient, type QueryKey, type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useOnce } from "../runtime/once.ts";
import { showToast } from "../ui/toast/store.ts";
import { failureText, hasCode } from "./api.ts";
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

export interface WorkOptions<Result, Given> extends UseMutationOptions<Result, Error, Given> {
  /** The text of the toast after a success. */
  done?: string | ((result: Result) => string);
  /** The text of the toast after a failure for which the server has no sentence. */
  failed?: string | ((error: Error, given: Given) => string);
  /** The codes of refusals that a form shows at its fields: they need no toast. */
  shownAtFields?: readonly string[];
}

/** A mutation that a double press starts once, with its toasts. The structure test allows no other mutations. */
export function useWork<Result, Given = void>(work: WorkOptions<Result, Given>) {
  const { done, failed, shownAtFields = [], ...options } = work;
  const { mutateAsync, isPending } = useMutation<Result, Error, Given>({
    ...options,
    onSuccess: (result, ...more) => {
      if (done) showToast({ title: "Success", description: typeof done === "string" ? done : done(result) });
      return options.onSuccess?.(result, ...more);
    },
    onError: (error, given, ...more) => {
      if (failed && !hasCode(error, ...shownAtFields))
        showFailure(error, typeof failed === "string" ? failed : failed(error, given));
      return options.onError?.(error, given, ...more);
    },
  });
  const { start, isHeld } = useOnce((given: Given) => mutateAsync(given));
  return {
    /** For a button that stays: it also ignores the second press of a double click. A toast reports the failure. */
    mutate: (given: Given) => void (isHeld() || start(given).catch(() => {})),
    /** For a dialog, which closes when this resolves. */
    mutateAsync: start,
    isPending,
    /** Whether a press is refused now, because the work is running or has just been done. */
    isHeld,
  };
}

/** The error toast: the server's sentence if there is one, else the screen's text (rules.md: Toasts). */
export function showFailure(error: unknown, fallback: string): void {
  showToast({ title: "Error", description: failureText(error, fallback), style: "destructive" });
}
