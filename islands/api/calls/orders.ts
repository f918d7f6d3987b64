import type { Role } from "../../../src/accounts/schema.ts";
import type { NoteForm } from "../../../src/core/field.ts";
import type { AdminOrderDetail, ResellerOrderDetail } from "../../../src/orders/schema.ts";
import { call, queryOf } from "../api.ts";
import { listOf } from "../list.ts";

export const ownOrderList = listOf("GET /api/reseller/orders");

/** The orders of one reseller, as admins see them. */
export const resellerOrderList = (id: string) => listOf("GET /api/admin/resellers/:id/orders", { params: { id } });

export type OpenedOrder = AdminOrderDetail | ResellerOrderDetail;

/** An order with its keys. Devices connect whenever players play, so each opening fetches it again. */
export function orderQuery(area: Role, id: string) {
  return { ...queryOf(`GET /api/${area}/orders/:id`, { params: { id } }), staleTime: 0 };
}

export const noteOrder = (area: Role, id: string, body: NoteForm) =>
  call(`PUT /api/${area}/orders/:id/note`, { params: { id }, body });

/** Revokes nothing unless exactly `count` keys are unused. */
export const revokeUnused = (area: Role, id: string, count: number) =>
  call(`POST /api/${area}/orders/:id/revoke-unused`, { params: { id }, body: { count } });
