import type { Role } from "../../../src/accounts/schema.ts";
import { queryOf } from "../call.ts";

/** The figures of the admin's overview. */
export const statsQuery = queryOf("GET /api/admin/stats");

/** Whether all is well. */
export const conditionQuery = queryOf("GET /api/admin/condition");

/** The figures of the last days: of everything for admins, of their own for resellers. */
export function figuresQuery(area: Role, days: number) {
  return queryOf(`GET /api/${area}/figures`, { query: { days } });
}
