import { call, queryOf } from "../call.ts";
import type { BodyOf } from "../contract.ts";

export const ownSessionsQuery = queryOf("GET /api/auth/sessions");

export const twoFactorQuery = queryOf("GET /api/auth/two-factor");

export function changePassword(body: BodyOf<"POST /api/auth/password">) {
  return call("POST /api/auth/password", { body });
}

export function endOwnSession(id: number) {
  return call("DELETE /api/auth/sessions/:id", { params: { id } });
}

export function endOtherSessions() {
  return call("DELETE /api/auth/sessions");
}

export function beginTwoFactor(body: BodyOf<"POST /api/auth/two-factor">) {
  return call("POST /api/auth/two-factor", { body });
}

export function confirmTwoFactor(body: BodyOf<"POST /api/auth/two-factor/confirm">) {
  return call("POST /api/auth/two-factor/confirm", { body });
}

export function turnTwoFactorOff(body: BodyOf<"DELETE /api/auth/two-factor">) {
  return call("DELETE /api/auth/two-factor", { body });
}
