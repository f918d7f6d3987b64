import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf } from "../api.ts";
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

/** The calls of either role, which differ in what may be asked for. */
export const apiKeyCalls = {
  admin: {
    query: queryOf("GET /api/admin/api-keys"),
    create: (body: BodyOf<"POST /api/admin/api-keys">) => call("POST /api/admin/api-keys", { body }),
    remove: (id: number) => call("DELETE /api/admin/api-keys/:id", { params: { id } }),
  },
  reseller: {
    query: queryOf("GET /api/reseller/api-keys"),
    create: (body: BodyOf<"POST /api/reseller/api-keys">) => call("POST /api/reseller/api-keys", { body }),
    remove: (id: number) => call("DELETE /api/reseller/api-keys/:id", { params: { id } }),
  },
} as const satisfies Record<Role, object>;
