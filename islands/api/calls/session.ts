import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf } from "../call.ts";
import type { BodyOf } from "../contract.ts";

const sessionStaleMs = 10_000;
const sessionRetries = 3;
const retryMsMin = 1_000;
const retryMsMax = 30_000;

/** Looked at again on focus, stale after 10 s, and tried up to 3 times more (rules.md: Fetching). */
export const sessionQuery = {
  ...queryOf("GET /api/auth/session"),
  staleTime: sessionStaleMs,
  refetchOnWindowFocus: true,
  retry: sessionRetries,
  retryDelay: (failures: number) => Math.min(retryMsMin * 2 ** failures, retryMsMax),
};

/** For the pages before the login, which have no TanStack Query. */
export function readSession() {
  return call("GET /api/auth/session");
}

export function startSession(role: Role, body: BodyOf<"POST /api/auth/:role/login">) {
  return call("POST /api/auth/:role/login", { params: { role }, body });
}

export function endSession() {
  return call("POST /api/auth/logout");
}

export function registerReseller(body: BodyOf<"POST /api/auth/reseller/register">) {
  return call("POST /api/auth/reseller/register", { body });
}
