import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Role } from "../accounts/schema.ts";
import { leaveUncompressed } from "../http/compression.ts";
import { described } from "../http/describe.ts";
import { linkedRows, messageAfter } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import {
  AdminWebhookChange,
  AdminWebhookForm,
  Delivery,
  DeliveryListQuery,
  DeliveryParams,
  NewWebhook,
  ResellerWebhookChange,
  ResellerWebhookForm,
  RotatedSecret,
  Webhook,
} from "./schema.ts";
import type { Webhooks } from "./webhooks.ts";

const exampleWebhook = {
  id: 4,
  kind: "standard",
  url: "https://shop.example.com/latchkey",
  chatId: null,
  events: ["order.created", "key.expiring"],
  isActive: true,
  creditsBelow: null,
  switchedOff: null,
  createdAt: "2025-03-05T14:30:00.000Z",
};
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
const exampleDelivery = {
  id: "5f6c1c1e-3c1b-4f0e-9d53-6f1f5c0d8a77",
  webhookId: 4,
  type: "order.created",
  at: "2025-03-05T14:31:00.000Z",
  nextAt: null,
  tries: [{ at: "2025-03-05T14:31:00.400Z", status: 200, ms: 120, answer: "" }],
};
const exampleWaiting = { ...exampleDelivery, nextAt: "2025-03-05T14:31:00.000Z", tries: [] };

const deletedSentence = "Webhook deleted";

/** The webhooks of the caller's own account. No API key may make these calls. */
export function createWebhookRoutes({ access, webhooks }: { access: Access; webhooks: Webhooks }) {
  return new Elysia({ name: "webhooks", prefix: "/api", tags: ["Webhooks"] })
    .use(
      new Elysia({ prefix: "/reseller/webhooks" }).use(
        routesOf("reseller", ResellerWebhookForm, ResellerWebhookChange),
      ),
    )
    .use(new Elysia({ prefix: "/admin/webhooks" }).use(routesOf("admin", AdminWebhookForm, AdminWebhookChange)));

  function routesOf(who: Role, form: typeof AdminWebhookForm, change: typeof AdminWebhookChange) {
    const named = who === "admin" ? "Admin" : "";
    const as = who === "admin" ? " as an admin" : "";
    return new Elysia()
      .use(access)
      .get("", ({ caller }) => webhooks.list(caller), {
        onlyPeople: who,
        response: { 200: Type.Array(Webhook) },
        detail: described({
          id: `list${named}Webhooks`,
          summary: `Your webhooks${as}, oldest first`,
          example: [exampleWebhook],
        }),
      })
      .post("", async ({ body, caller, status }) => status(201, await webhooks.create(caller, body)), {
        onlyPeople: who,
        body: form,
        beforeHandle: leaveUncompressed,
        response: { 201: NewWebhook },
        detail: described({
          id: `create${named}Webhook`,
          summary: `Create a webhook${as}`,
          description: "`standard` and `discord` need `url`, `telegram` needs `botToken` and `chatId`.",
          example: { ...exampleWebhook, secret: exampleSecret },
          refusals: ["TOO_MANY_WEBHOOKS"],
        }),
      })
      .put("/:id", ({ params, body, caller }) => webhooks.change(caller, params.id, body), {
        onlyPeople: who,
        params: IdParams,
        body: change,
        response: { 200: Webhook },
        detail: described({
          id: `change${named}Webhook`,
          summary: `Change one of your webhooks${as}`,
          description: "What is left out stays. With `isActive` true, the server sends events to it again.",
          example: exampleWebhook,
        }),
      })
      .delete("/:id", ({ params, caller }) => messageAfter(webhooks.remove(caller, params.id), deletedSentence), {
        onlyPeople: who,
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: `delete${named}Webhook`,
          summary: `Delete one of your webhooks${as}, with its deliveries`,
          example: { message: deletedSentence },
        }),
      })
      .post("/:id/rotate", ({ params, caller }) => webhooks.rotate(caller, params.id), {
        onlyPeople: who,
        params: IdParams,
        beforeHandle: leaveUncompressed,
        response: { 200: RotatedSecret },
        detail: described({
          id: `rotate${named}WebhookSecret`,
          summary: `Give one of your webhooks${as} a new secret`,
          description: "For 24 hours the secret before signs too. Only for `standard`.",
          example: { secret: exampleSecret },
        }),
      })
      .post("/:id/test", async ({ params, caller, status }) => status(202, await webhooks.test(caller, params.id)), {
        onlyPeople: who,
        params: IdParams,
        response: { 202: Delivery },
        detail: described({
          id: `test${named}Webhook`,
          summary: `Send a \`webhook.test\` to one of your webhooks${as}`,
          description: "It is sent once, also while the webhook is off. Its deliveries show the result.",
          example: { ...exampleWaiting, type: "webhook.test" },
        }),
      })
      .get(
        "/:id/deliveries",
        async ({ params, query, caller, request, set }) =>
          linkedRows({ request, set }, webhooks.deliveries(caller, params.id, query)),
        {
          onlyPeople: who,
          params: IdParams,
          query: DeliveryListQuery,
          response: { 200: Type.Array(Delivery) },
          detail: described({
            id: `list${named}WebhookDeliveries`,
            summary: `What was sent to one of your webhooks${as} in the last 30 days, newest first`,
            example: [exampleDelivery],
          }),
        },
      )
      .post(
        "/:id/deliveries/:deliveryId/resend",
        async ({ params, caller, status }) => status(202, await webhooks.resend(caller, params.id, params.deliveryId)),
        {
          onlyPeople: who,
          params: DeliveryParams,
          response: { 202: Delivery },
          detail: described({
            id: `resend${named}WebhookDelivery`,
            summary: `Send an event to one of your webhooks${as} again, with the same id and body`,
            example: exampleWaiting,
          }),
        },
      );
  }
}
