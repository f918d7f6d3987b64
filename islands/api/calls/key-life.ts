import { pathOf } from "../api.ts";
import { queryOf } from "../call.ts";

/** Whose page asks: a reseller reads of own keys, an admin of any. */
export type Reader = "admin" | "reseller";

/** What a timeline shows first, and what it shows of a long life. */
const eventsFirst = 20;
export const eventsShownMax = 200;

/** Whether a key works, and what happened to it. Devices connect whenever players play, so each opening looks again. */
export function timelineQuery(reader: Reader, id: number | string, { whole = false } = {}) {
  const asked = { params: { id }, query: { limit: whole ? eventsShownMax : eventsFirst } };
  const query =
    reader === "admin"
      ? queryOf("GET /api/admin/keys/:id/timeline", asked)
      : queryOf("GET /api/reseller/keys/:id/timeline", asked);
  return { ...query, staleTime: 0 };
}

/** To be fetched again, however much of it is shown. */
export function timelineOf(reader: Reader, id: number | string) {
  return { queryKey: [pathOf(`GET /api/${reader}/keys/:id/timeline`, { id })] };
}
