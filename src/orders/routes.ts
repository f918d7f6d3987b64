import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { type Role, resellerIdOf } from "../accounts/schema.ts";
import { NoteForm } from "../core/field.ts";
import { described } from "../http/describe.ts";
import { messageAfter, wholeOrPage } from "../http/response.ts";
import { IdParams, RetryHeaders, type SchemaOf } from "../http/schema.ts";
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
import type { OrderRow } from "./store.ts";

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
  shopLink: null,
  saleId: null,
};

const exampleAdminOrder = { ...exampleOrder, cost: 0, by: "admin" };

const notedSentence = "Note saved";
const revokedSentence = "Keys revoked successfully";

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
          example: { orderId: 12, keys: [{ ...exampleResellerKey, devices: 0 }], cost: 3, credits: 9.5 },
          refusals: ["CREDITS_SHORT", "INVALID_DAY_TIER", "NOT_SOLD", "COST_CHANGED", "CLOCK_AHEAD", "KEY_TAKEN"],
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
          example: { orderId: 12, keys: [exampleAdminKey], cost: 0 },
          refusals: ["CLOCK_AHEAD", "NOT_SOLD", "KEY_TAKEN"],
        }),
      },
    )
    .get(
      "/reseller/orders",
      async ({ caller, query, request, set }) =>
        wholeOrPage(
          query,
          { request, set },
          await orders.list(caller, { resellerId: resellerIdOf(caller) }, query, orderList),
        ),
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
    .get("/reseller/orders/:id", ({ params, caller }) => orders.openForReseller(resellerIdOf(caller), params.id), {
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
    .use(note("reseller", orderView, NotedResellerOrder, "noteOwnOrder", "Set the note of one of your orders"))
    .use(note("admin", adminOrderView, NotedAdminOrder, "noteAdminOrder", "Set the note of an admins' order"))
    .use(revocation("reseller", "revokeOwnUnusedKeys", "one of your orders"))
    .use(revocation("admin", "revokeUnusedKeys", "any order"));

  function note<Who extends Role, View>(
    who: Who,
    view: (row: OrderRow) => View,
    noted: SchemaOf<{ message: string; order: View }>,
    id: string,
    summary: string,
  ) {
    const example = { message: notedSentence, order: who === "admin" ? exampleAdminOrder : exampleOrder };
    return new Elysia().use(access).put(
      `/${who}/orders/:id/note`,
      async ({ params, body, caller }) => ({
        message: notedSentence,
        order: await orders.note(caller, params.id, body, view),
      }),
      {
        only: [who, "keys:manage"],
        params: IdParams,
        body: NoteForm,
        response: { 200: noted },
        detail: described({ id, summary, example }),
      },
    );
  }

  function revocation<Who extends Role>(who: Who, id: string, which: string) {
    return new Elysia()
      .use(access)
      .post(
        `/${who}/orders/:id/revoke-unused`,
        ({ params, body, caller }) => messageAfter(orders.revokeUnused(caller, params.id, body), revokedSentence),
        {
          only: [who, "keys:manage"],
          params: IdParams,
          body: UnusedRevocation,
          response: { 200: RevokedKeys },
          detail: described({
            id,
            summary: `Revoke the unused active keys of ${which}, at once and for good`,
            description: "Unused keys have no device. `count` is their number; if it differs, nothing is revoked.",
            example: { message: revokedSentence, revokedCount: 3, refund: 0 },
            refusals: ["COUNT_CHANGED", "BALANCE_TOO_LARGE"],
          }),
        },
      );
  }
}
