import { queryOptions } from "@tanstack/react-query";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { recentRowsMax } from "../../../src/overview/limits.ts";
import { getRows } from "../../server/api.ts";
import { pathOf } from "../../server/query.ts";

/** The newest keys, and in `matchCount` how many there are of every status. */
export const recentKeysQuery = countedKeys({ limit: recentRowsMax });

/** Only its `matchCount` is wanted, so it asks for the smallest page that there is. */
export const activeKeysQuery = countedKeys({ status: "ACTIVE", limit: 1 });

function countedKeys(filters: { status?: string; limit: number }) {
  return queryOptions({
    queryKey: ["/api/reseller/keys", { ...filters, count: "true" }],
    queryFn: ({ queryKey, signal }) => getRows<ResellerKey>(pathOf(queryKey), { signal }),
  });
}
