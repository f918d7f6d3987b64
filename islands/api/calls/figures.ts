import { queryOf } from "../call.ts";

/** What each of the last 30 days came to: an admin's of all, a reseller's of the own. */
export const allFiguresQuery = queryOf("GET /api/admin/figures", { query: { days: 30 } });
export const ownFiguresQuery = queryOf("GET /api/reseller/figures", { query: { days: 30 } });
