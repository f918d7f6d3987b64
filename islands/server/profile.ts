import { queryOf } from "./call.ts";

/** A reseller's own: the frame and the screens read the one balance, which is fetched again after a purchase. */
export const profileQuery = queryOf("GET /api/reseller/profile");
