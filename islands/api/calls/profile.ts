import { queryOf } from "../call.ts";

/**
 * A reseller's own: the frame and the screens read the one balance. It is fetched again after a purchase, when the live channel tells of a
 * grant, and whenever the page is looked at again (rules.md: Fetching).
 */
export const profileQuery = { ...queryOf("GET /api/reseller/profile"), refetchOnWindowFocus: "always" as const };
