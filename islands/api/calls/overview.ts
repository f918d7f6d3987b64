import { queryOf } from "../call.ts";

/** The figures of the admin's overview. */
export const statsQuery = queryOf("GET /api/admin/stats");

/** Whether all is well. */
export const conditionQuery = queryOf("GET /api/admin/condition");

/** The figures of the last 30 days: of everything for admins, of their own for resellers. */
export const allFiguresQuery = queryOf("GET /api/admin/figures", { query: { days: 30 } });
export const ownFiguresQuery = queryOf("GET /api/reseller/figures", { query: { days: 30 } });
