import type { NoteForm } from "../../../src/core/field.ts";
import { call, queryOf } from "../call.ts";
import { listOf } from "../list.ts";

export const ownOrderList = listOf("GET /api/reseller/orders");

/** The orders of one reseller, as admins see them. */
export function resellerOrderList(id: string) {
  return listOf("GET /api/admin/resellers/:id/orders", { params: { id } });
}

/** One's own order with its keys. Devices connect whenever players play, so each opening looks again. */
export function ownOrderQuery(id: string) {
  return { ...queryOf("GET /api/reseller/orders/:id", { params: { id } }), staleTime: 0 };
}

/** Anybody's. */
export function orderQuery(id: string) {
  return { ...queryOf("GET /api/admin/orders/:id", { params: { id } }), staleTime: 0 };
}

export function noteOwnOrder(id: string, body: NoteForm) {
  return call("PUT /api/reseller/orders/:id/note", { params: { id }, body });
}

export function noteAdminOrder(id: string, body: NoteForm) {
  return call("PUT /api/admin/orders/:id/note", { params: { id }, body });
}

/** Revokes nothing where the unused keys are not as many as `count`. */
export function revokeOwnUnused(id: string, count: number) {
  return call("POST /api/reseller/orders/:id/revoke-unused", { params: { id }, body: { count } });
}

export function revokeUnused(id: string, count: number) {
  return call("POST /api/admin/orders/:id/revoke-unused", { params: { id }, body: { count } });
}
