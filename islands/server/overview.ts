import { queryOf } from "./call.ts";

/** The figures of the admin's overview. */
export const statsQuery = queryOf("GET /api/admin/stats");

/** Whether all is well. It changes by itself, so each opening asks again. */
export const conditionQuery = { ...queryOf("GET /api/admin/condition"), staleTime: 0 };
