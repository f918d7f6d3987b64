import type { Role } from "../../../src/accounts/schema.ts";
import { call, queryOf, withBody, withIdAndBody } from "../api.ts";
import { listOf } from "../list.ts";

/** The calls of one role. The other's differ only in their paths. */
export function webhookCalls(area: Role) {
  return {
    query: queryOf(`GET /api/${area}/webhooks`),
    create: withBody(`POST /api/${area}/webhooks`),
    change: withIdAndBody(`PUT /api/${area}/webhooks/:id`),
    remove: (id: number) => call(`DELETE /api/${area}/webhooks/:id`, { params: { id } }),
    rotate: (id: number) => call(`POST /api/${area}/webhooks/:id/rotate`, { params: { id } }),
    test: (id: number) => call(`POST /api/${area}/webhooks/:id/test`, { params: { id } }),
    deliveries: (id: number) => listOf(`GET /api/${area}/webhooks/:id/deliveries`, { params: { id } }),
    resend: (id: number, deliveryId: string) =>
      call(`POST /api/${area}/webhooks/:id/deliveries/:deliveryId/resend`, { params: { id, deliveryId } }),
  };
}
