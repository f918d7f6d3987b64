import { queryOf } from "./call.ts";

/** The figures of the admin's overview. */
export const statsQuery = queryOf("GET /api/admin/stats");
