import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf } from "../api.ts";
import type { ResponseOf } from "../contract.ts";

/** The figures of the admin's overview. */
export const statsQuery = queryOf("GET /api/admin/stats");

/** Whether all is well. */
export const conditionQuery = queryOf("GET /api/admin/condition");

/** The figures of the last days: of everything for admins, of their own for resellers. */
export function figuresQuery(area: Role, days: number) {
  return queryOf(`GET /api/${area}/figures`, { query: { days } });
}

/** The ten resellers who sold most in the last days. */
export function topResellersQuery(days: number) {
  return queryOf("GET /api/admin/figures/resellers", { query: { days } });
}

export type Findings = ResponseOf<"GET /api/admin/search"> | ResponseOf<"GET /api/reseller/search">;

/** Finds records by their text: any for an admin, their own for a reseller (rules.md: Searching everything). */
export const findAnything = (role: Role, q: string, signal: AbortSignal): Promise<Findings> =>
  call(`GET /api/${role}/search`, { query: { q }, signal });
