import type { AdminKey } from "../../../src/keys/schema.ts";
import { pathOf } from "../api.ts";
import { call, queryOf } from "../call.ts";
import type { BodyOf, QueryOf } from "../contract.ts";
import { type List, listOf } from "../list.ts";

const manage = "GET /api/admin/keys/manage";

/** The keys that admins made. This call answers its counts and its cursor in the body (rules.md: Lists). */
export const adminKeyList: List<AdminKey, QueryOf<typeof manage>> = {
  queryKey: [pathOf(manage)],
  getPage: async (query, signal) => {
    const { keys, ...counts } = await call(manage, { query, signal });
    return { rows: keys, ...counts };
  },
};

/** The keys of one reseller, as admins see them. */
export function resellerKeyList(id: string) {
  return listOf("GET /api/admin/resellers/:id/keys", { params: { id } });
}

/** Any key, with its devices and its history. Devices connect whenever players play, so each opening looks again. */
export function keyQuery(id: number | string) {
  return { ...queryOf("GET /api/admin/keys/:id/details", { params: { id } }), staleTime: 0 };
}

export function makeKeys(body: BodyOf<"POST /api/admin/keys/generate">, headers: Record<string, string>) {
  return call("POST /api/admin/keys/generate", { body, headers });
}

export function noteAdminKey(id: number, body: BodyOf<"PUT /api/admin/keys/:id/note">) {
  return call("PUT /api/admin/keys/:id/note", { params: { id }, body });
}

export function revokeKey(id: number) {
  return call("DELETE /api/admin/keys/:id", { params: { id } });
}

/** Of all keys, admins' and resellers'. */
export function resetDevices() {
  return call("POST /api/admin/keys/reset-devices");
}
