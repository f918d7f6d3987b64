import { recentRowsMax } from "../../../src/http/limits.ts";
import { call, queryOf, withBody, withIdAndBody } from "../api.ts";
import type { QueryOf } from "../contract.ts";
import { firstRowsOf, listOf } from "../list.ts";

export const resellerList = listOf("GET /api/admin/resellers");

/** All of them at once, to count them. */
export const allResellersQuery = { ...queryOf("GET /api/admin/resellers"), staleTime: 0 };

export const newestResellersQuery = firstRowsOf(resellerList, { limit: recentRowsMax });

export const resellersQuery = (query: QueryOf<"GET /api/admin/resellers"> & { limit: number }) =>
  firstRowsOf(resellerList, query);

/** One reseller, whose balance changes with each purchase, so each opening fetches it again. */
export function resellerQuery(id: string) {
  return { ...queryOf("GET /api/admin/resellers/:id", { params: { id } }), staleTime: 0 };
}

export const setActive = withIdAndBody("POST /api/admin/resellers/:id/toggle-status");

export const grantCredits = withBody("POST /api/admin/resellers/credits");

export const takeBackGrant = withIdAndBody("POST /api/admin/resellers/:id/credits/take-back");

/** Returns the new password, which cannot be read again. */
export const resetPassword = (id: number) => call("POST /api/admin/resellers/:id/password", { params: { id } });

export const endSessionsOf = (id: number) => call("DELETE /api/admin/resellers/:id/sessions", { params: { id } });

export const tokenList = listOf("GET /api/admin/tokens");

export const issueToken = withBody("POST /api/admin/tokens/generate");

export const revokeToken = (id: number) => call("DELETE /api/admin/tokens/:id", { params: { id } });
