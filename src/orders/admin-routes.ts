import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { idempotencyKeyIn } from "../accounts/audited-changes.ts";
import { NoteForm } from "../core/field.ts";
import { described, whenQuerying, whenSignedIn, whenWriting } from "../http/describe.ts";
import { wholeOrPage } from "../http/response.ts";
import { IdParams } from "../http/schema.ts";
import { exampleAdminKey } from "../keys/schema.ts";
import type { Resellers } from "../resellers/resellers.ts";
import type { Orders } from "./orders.ts";
import type { Purchase } from "./purchase.ts";
import {
  AdminKeyOrder,
  AdminOrder,
  AdminOrderDetail,
  exampleAdminOrder,
  MadeAdminKeys,
  NotedAdminOrder,
  OrderListQuery,
  RevokedKeys,
  UnusedRevocation,
} from "./schema.ts";

type Services = { access: Access; orders: Orders; purchase: Purchase; resellers: Resellers };

export function createAdminOrderRoutes({ access, orders, purchase, resellers }: Services) {
  return new Elysia({ name: "admin-orders", prefix: "/api/admin", tags: ["Orders"] })
    .use(access)
    .post(
      "/keys/generate",
      async ({ body, caller, request, set }) => {
        set.status = 201;
        return purchase.make(caller, body, idempotencyKeyIn(request.headers));
      },
      {
        only: "admin",
        body: AdminKeyOrder,
        response: { 201: MadeAdminKeys },
        detail: described({
          id: "makeAdminKeys",
          summary: "Make admin keys, which cost nothing and belong to nobody",
          description: "An `Idempotency-Key` header makes a retry answer the first result again.",
          example: { orderId: 12, keys: [exampleAdminKey] },
          refusals: ["CLOCK_AHEAD", "KEY_TAKEN", "IDEMPOTENCY_KEY_REUSED", ...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .get(
      "/orders",
      async ({ query, caller, request, set }) =>
        wholeOrPage(
          query,
          { request, set },
          () => orders.wholeForAdmin(caller, "admins", query),
          () => orders.forAdmin("admins", query),
        ),
      {
        only: "admin",
        query: OrderListQuery,
        response: { 200: Type.Array(AdminOrder) },
        detail: described({
          id: "listAdminOrders",
          summary: "What admins generated, newest first",
          example: [exampleAdminOrder],
          refusals: ["INVALID", ...whenSignedIn, ...whenQuerying],
        }),
      },
    )
    .get("/orders/:id", ({ params }) => orders.openForAdmin(params.id), {
      only: "admin",
      params: IdParams,
      response: { 200: AdminOrderDetail },
      detail: described({
        id: "openOrder",
        summary: "Any order, with its keys",
        example: { ...exampleAdminOrder, reseller: null, keys: [exampleAdminKey] },
        refusals: ["NOT_FOUND", ...whenSignedIn],
      }),
    })
    .put(
      "/orders/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        order: await orders.noteAsAdmin(caller, params.id, body),
      }),
      {
        only: "admin",
        params: IdParams,
        body: NoteForm,
        response: { 200: NotedAdminOrder },
        detail: described({
          id: "noteAdminOrder",
          summary: "Note an order of the admins; a reseller's is its reseller's to note",
          example: { message: "Note saved", order: exampleAdminOrder },
          refusals: ["NOT_FOUND", ...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .post(
      "/orders/:id/revoke-unused",
      async ({ params, body, caller }) => ({
        message: "Keys revoked successfully",
        revokedCount: await orders.revokeUnusedAsAdmin(caller, params.id, body),
      }),
      {
        only: "admin",
        params: IdParams,
        body: UnusedRevocation,
        response: { 200: RevokedKeys },
        detail: described({
          id: "revokeUnusedKeys",
          summary: "Revoke the active keys of any order on which no device is connected, at once and for good",
          description: "`count` says how many they are: with another number nothing is revoked.",
          example: { message: "Keys revoked successfully", revokedCount: 3 },
          refusals: ["NOT_FOUND", "COUNT_CHANGED", ...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .get(
      "/resellers/:id/orders",
      async ({ params: { id }, query, caller, request, set }) => {
        await resellers.profile(id);
        return wholeOrPage(
          query,
          { request, set },
          () => orders.wholeForAdmin(caller, { resellerId: id }, query),
          () => orders.forAdmin({ resellerId: id }, query),
        );
      },
      {
        only: "admin",
        params: IdParams,
        query: OrderListQuery,
        response: { 200: Type.Array(AdminOrder) },
        detail: described({
          id: "listResellerOrders",
          summary: "The orders of one reseller, newest first",
          example: [{ ...exampleAdminOrder, by: "night.owl", cost: 30 }],
          refusals: ["NOT_FOUND", "INVALID", ...whenSignedIn, ...whenQuerying],
        }),
      },
    );
}
