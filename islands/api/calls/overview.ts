import { queryOf } from "../call.ts";

/** The figures of the admin's overview. */
export const statsQuery = queryOf("GET /api/admin/stats");

/** Whether all is well. */
export const conditionQuery = queryOf("GET /api/admin/condition");
