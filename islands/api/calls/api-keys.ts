import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf } from "../call.ts";
import type { BodyOf } from "../contract.ts";

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
