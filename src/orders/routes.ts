import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { NoteForm } from "../core/field.ts";
import { described } from "../http/describe.ts";
import { wholeOrPage } from "../http/response.ts";
import { IdParams, RetryHeaders } from "../http/schema.ts";
import { adminKeyView, exampleAdminKey, exampleResellerKey, resellerKeyView } from "../keys/model.ts";
import type { Resellers } from "../resellers/resellers.ts";
import { adminOrderList, adminOrderView, type Orders, orderList, orderView } from "./orders.ts";
import type { Purchase } from "./purchase.ts";
import {
  AdminKeyOrder,
  AdminOrder,
  AdminOrderDetail,
  BoughtKeys,
  KeyPurchase,
  MadeAdminKeys,
  NotedAdminOrder,
  NotedResellerOrder,
  Order,
  OrderListQuery,
  ResellerOrderDetail,
  RevokedKeys,
  UnusedRevocation,
} from "./schema.ts";

type Services = { access: Access; orders: Orders; purchase: Purchase; resellers: Resellers };

/** The order in the examples of /swagger, as each role sees it. */
const exampleOrder = {
  id: 12,
  at: "2025-03-05T14:30:00.000Z",
  game: "PUBG MOBILE",
  deviceLimit: 2,
  days: 30,
  count: 10,
  cost: 30,
  note: "For the summer tournament",
  externalId: null,
};

const exampleAdminOrder = { ...exampleOrder, cost: 0, by: "admin" };

export function createOrderRoutes({ access, orders, purchase, resellers }: Services) {
  return new Elysia({ name: "orders", prefix: "/api", tags: ["Orders"] })
    .use(access)
    .post(
      "/reseller/keys/generate",
      async ({ body, caller, headers, status }) => {
        const shown = { idempotencyKey: headers["idempotency-key"], view: resellerKeyView };
        return status(201, (await purchase.generate(caller, body, shown)) as BoughtKeys);
      },
      {
        only: ["reseller", "keys:order"],
        headers: RetryHeaders,
        body: KeyPurchase,
        response: { 201: BoughtKeys },
        detail: described({
          id: "buyKeys",
          summary: "Generate keys and pay for them with credits",
          description:
            "All keys are made and paid for, or none. `GET /api/catalogue` has your prices, at first per key: 5 days 0.5, 10 days 1, 20 days 2, 30 days 3, 60 days 6 credits.",
          example: { orderId: 12, keys: [{ ...exampleResellerKey, devices: 0 }], credits: 9.5 },
          refusals: ["CREDITS_SHORT", "INVALID_DAY_TIER", "NOT_SOLD", "CLOCK_AHEAD", "KEY_TAKEN"],
        }),
      },
    )
    .post(
      "/admin/keys/generate",
      async ({ body, caller, headers, status }) => {
        const shown = { idempotencyKey: headers["idempotency-key"], view: adminKeyView };
        return status(201, (await purchase.generate(caller, body, shown)) as MadeAdminKeys);
      },
      {
        only: ["admin", "keys:order"],
        headers: RetryHeaders,
        body: AdminKeyOrder,
        response: { 201: MadeAdminKeys },
        detail: described({
          id: "makeAdminKeys",
          summary: "Generate admin keys, which are free and have no owner",
          description:
            "They expire at `expiryDate`; with `starts` `first_use`, `durationHours` after their first device connects.",
          example: { orderId: 12, keys: [exampleAdminKey] },
          refusals: ["CLOCK_AHEAD", "NOT_SOLD", "KEY_TAKEN"],
        }),
      },
    )
    .get(
      "/reseller/orders",
      async ({ caller, query, request, set }) =>
        wholeOrPage(query, { request, set }, await orders.list(caller, { resellerId: caller.id }, query, orderList)),
      {
        only: ["reseller", "keys:read"],
        query: OrderListQuery,
        response: { 200: Type.Array(Order) },
        detail: described({
          id: "listOwnOrders",
          summary: "Your orders, newest first",
          example: [exampleOrder],
        }),
      },
    )
    .get(
      "/admin/orders",
      async ({ query, caller, request, set }) =>
        wholeOrPage(query, { request, set }, await orders.list(caller, "admins", query, adminOrderList)),
      {
        only: ["admin", "keys:read"],
        query: OrderListQuery,
        response: { 200: Type.Array(AdminOrder) },
        detail: described({
          id: "listAdminOrders",
          summary: "The admins' orders, newest first",
          example: [exampleAdminOrder],
        }),
      },
    )
    .get(
      "/admin/resellers/:id/orders",
      async ({ params: { id }, query, caller, request, set }) => {
        await resellers.profile(id);
        const list = await orders.list(caller, { resellerId: id }, query, adminOrderList);
        return wholeOrPage(query, { request, set }, list);
      },
      {
        only: ["admin", "keys:read"],
        params: IdParams,
        query: OrderListQuery,
        response: { 200: Type.Array(AdminOrder) },
        detail: described({
          id: "listResellerOrders",
          summary: "The orders of one reseller, newest first",
          example: [{ ...exampleAdminOrder, by: "night.owl", cost: 30 }],
        }),
      },
    )
    .get("/reseller/orders/:id", ({ params, caller }) => orders.openForReseller(caller.id, params.id), {
      only: ["reseller", "keys:read"],
      params: IdParams,
      response: { 200: ResellerOrderDetail },
      detail: described({
        id: "openOwnOrder",
        summary: "One of your orders, with its keys",
        example: { ...exampleOrder, keys: [exampleResellerKey] },
      }),
    })
    .get("/admin/orders/:id", ({ params }) => orders.openForAdmin(params.id), {
      only: ["admin", "keys:read"],
      params: IdParams,
      response: { 200: AdminOrderDetail },
      detail: described({
        id: "openOrder",
        summary: "Any order, with its keys",
        example: { ...exampleAdminOrder, reseller: null, keys: [exampleAdminKey] },
      }),
    })
    .put(
      "/reseller/orders/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        order: await orders.note(caller, params.id, body, orderView),
      }),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        body: NoteForm,
        response: { 200: NotedResellerOrder },
        detail: described({
          id: "noteOwnOrder",
          summary: "Set the note of one of your orders",
          example: { message: "Note saved", order: exampleOrder },
        }),
      },
    )
    .put(
      "/admin/orders/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        order: await orders.note(caller, params.id, body, adminOrderView),
      }),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        body: NoteForm,
        response: { 200: NotedAdminOrder },
        detail: described({
          id: "noteAdminOrder",
          summary: "Set the note of an admins' order",
          example: { message: "Note saved", order: exampleAdminOrder },
        }),
      },
    )
    .post(
      "/reseller/orders/:id/revoke-unused",
      async ({ params, body, caller }) => ({
        message: "Keys revoked successfully",
        ...(await orders.revokeUnused(caller, params.id, body)),
      }),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        body: UnusedRevocation,
        response: { 200: RevokedKeys },
        detail: described({
          id: "revokeOwnUnusedKeys",
          summary: "Revoke the unused active keys of one of your orders, at once and for good",
          description: "Unused keys have no device. `count` is their number; if it differs, nothing is revoked.",
          example: { message: "Keys revoked successfully", revokedCount: 3, refund: 0 },
          refusals: ["COUNT_CHANGED", "BALANCE_TOO_LARGE"],
        }),
      },
    )
    .post(
      "/admin/orders/:id/revoke-unused",
      async ({ params, body, caller }) => ({
        message: "Keys revoked successfully",
        ...(await orders.revokeUnused(caller, params.id, body)),
      }),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        body: UnusedRevocation,
        response: { 200: RevokedKeys },
        detail: described({
          id: "revokeUnusedKeys",
          summary: "Revoke the unused active keys of any order, at once and for good",
          description: "Unused keys have no device. `count` is their number; if it differs, nothing is revoked.",
          example: { message: "Keys revoked successfully", revokedCount: 3, refund: 0 },
          refusals: ["COUNT_CHANGED", "BALANCE_TOO_LARGE"],
        }),
      },
    );
}
