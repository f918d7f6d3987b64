import type { Role } from "../../../src/accounts/schema.ts";
import { showToast } from "../../ui/toast/store.ts";
import { ApiFailure, call, queryOf, withBody } from "../api.ts";
import type { BodyOf } from "../contract.ts";

const sessionStaleMs = 10_000;
const sessionRetries = 3;
const retryMsMin = 1_000;
const retryMsMax = 30_000;

/** Fetched again on focus, stale after 10 s, and retried up to 3 times (rules.md: Fetching). */
export const sessionQuery = {
  ...queryOf("GET /api/auth/session"),
  staleTime: sessionStaleMs,
  refetchOnWindowFocus: true,
  retry: sessionRetries,
  retryDelay: (failures: number) => Math.min(retryMsMin * 2 ** failures, retryMsMax),
};

/** For the pages before the login, which have no TanStack Query. */
export const readSession = () => call("GET /api/auth/session");

export const startSession = (role: Role, body: BodyOf<"POST /api/auth/:role/login">) =>
  call("POST /api/auth/:role/login", { params: { role }, body });

export const registerReseller = withBody("POST /api/auth/reseller/register");

/**
 * Ends the session and goes to the login; one that has ended already counts as ended. After a failure the page stays.
 */
export async function signOut(): Promise<void> {
  try {
    await call("POST /api/auth/logout");
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 401)) {
      return void showToast({ title: "Error", description: "Logout failed", style: "destructive" });
    }
  }
  window.location.assign("/");
}

/**
 * The balance of a reseller, which the frame and the screens share. It is fetched again after a purchase, when the live
 * channel reports a grant, and whenever the page is looked at again (rules.md: Fetching).
 */
export const profileQuery = { ...queryOf("GET /api/reseller/profile"), refetchOnWindowFocus: "always" as const };

/** Staff with one of these rights may read the profile. */
export const profileNeeds = ["credits:read", "keys:order"] as const;
