import { call, queryOf } from "../call.ts";
import type { BodyOf } from "../contract.ts";

export const ownSessionsQuery = queryOf("GET /api/auth/sessions");

export const twoFactorQuery = queryOf("GET /api/auth/two-factor");

export const changePassword = (body: BodyOf<"POST /api/auth/password">) => call("POST /api/auth/password", { body });

export const endOwnSession = (id: number) => call("DELETE /api/auth/sessions/:id", { params: { id } });

export const endOtherSessions = () => call("DELETE /api/auth/sessions");

export const beginTwoFactor = (body: BodyOf<"POST /api/auth/two-factor">) =>
  call("POST /api/auth/two-factor", { body });

export const confirmTwoFactor = (body: BodyOf<"POST /api/auth/two-factor/confirm">) =>
  call("POST /api/auth/two-factor/confirm", { body });

export const turnTwoFactorOff = (body: BodyOf<"DELETE /api/auth/two-factor">) =>
  call("DELETE /api/auth/two-factor", { body });
