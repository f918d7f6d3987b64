import type { Query, QueryClient } from "@tanstack/react-query";
import { searchOf } from "../../islands/api/api.ts";

/**
 * The addresses that a page's islands ask as soon as they live, read off the queries that rendering them made: a query is kept under the path of
 * its call, and what is asked beside it. The page's head names them, so that the browser asks at once, and not after the scripts have come.
 */
export function addressesAskedEarly(client: QueryClient): string[] {
  return client
    .getQueryCache()
    .findAll({ predicate: isAskedAtOnce })
    .map(({ queryKey: [path, query] }) => `${path}${searchOf(query as object | undefined)}`);
}

/** What the page brings with it is not: an answer that nobody takes would be taken for that of the next call, however much later. */
function isAskedAtOnce({ state, options }: Query): boolean {
  return state.data === undefined && (!("enabled" in options) || options.enabled !== false);
}
