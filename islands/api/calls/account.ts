import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf, withBody, withIdAndBody } from "../api.ts";
import { listOf } from "../list.ts";

export const ownSessionsQuery = queryOf("GET /api/auth/sessions");

export const twoFactorQuery = queryOf("GET /api/auth/two-factor");

export const changePassword = withBody("POST /api/auth/password");

export const endOwnSession = (id: number) => call("DELETE /api/auth/sessions/:id", { params: { id } });

export const endOtherSessions = () => call("DELETE /api/auth/sessions");

export const beginTwoFactor = withBody("POST /api/auth/two-factor");

export const confirmTwoFactor = withBody("POST /api/auth/two-factor/confirm");

export const turnTwoFactorOff = withBody("DELETE /api/auth/two-factor");

/** The calls of one role. The other's differ in what may be asked for. */
export function apiKeyCalls(area: Role) {
  return {
    query: queryOf(`GET /api/${area}/api-keys`),
    create: withBody(`POST /api/${area}/api-keys`),
    remove: (id: number) => call(`DELETE /api/${area}/api-keys/:id`, { params: { id } }),
  };
}

export function staffCalls(area: Role) {
  return {
    query: queryOf(`GET /api/${area}/staff`),
    create: withBody(`POST /api/${area}/staff`),
    change: withIdAndBody(`PUT /api/${area}/staff/:id`),
    resetPassword: withIdAndBody(`POST /api/${area}/staff/:id/password`),
    remove: (id: number) => call(`DELETE /api/${area}/staff/:id`, { params: { id } }),
  };
}

export function shopLinkCalls(area: Role) {
  return {
    query: queryOf(`GET /api/${area}/shop-links`),
    create: withBody(`POST /api/${area}/shop-links`),
    change: withIdAndBody(`PUT /api/${area}/shop-links/:id`),
    renewSecret: withIdAndBody(`POST /api/${area}/shop-links/:id/secret`),
    remove: (id: number) => call(`DELETE /api/${area}/shop-links/:id`, { params: { id } }),
    sales: (id: number) => listOf(`GET /api/${area}/shop-links/:id/sales`, { params: { id } }),
  };
}
