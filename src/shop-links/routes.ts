import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { PersonCaller } from "../accounts/audited-changes.ts";
import type { Role } from "../accounts/schema.ts";
import type { RefusalCode } from "../core/refusal.ts";
import { signedBodyOf } from "../http/body.ts";
import { leaveUncompressed } from "../http/compression.ts";
import { described } from "../http/describe.ts";
import type { Clients } from "../http/request.ts";
import { linkedRows, messageAfter, type Reply } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import { DeliveryListQuery } from "../webhooks/schema.ts";
import type { Sales } from "./sales.ts";
import * as schema from "./schema.ts";
import type { ShopLinks } from "./shop-links.ts";

const exampleLink = {
  ...{ id: 3, name: "SellAuth, 30 days", url: "https://keys.example.com/api/shop/hK3vWq8ZsT2mXc7RbN4pLdY6" },
  ...{ game: "PUBG MOBILE", durationId: 4, deviceLimit: 1, starts: "first_use" },
  ...{ signature: { header: "X-Signature", algorithm: "sha256" }, saleId: ["unique_id", "item.id"] },
  ...{ quantity: "item.quantity", maxQuantity: 10, creditsPerDay: null, isActive: true },
  ...{ createdAt: "2025-03-05T14:30:00.000Z", lastSaleAt: null },
};
const secret = "shs_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd";
const exampleSale = {
  ...{ id: 81, at: "2025-03-05T14:31:00.000Z", saleId: "6f2c1:40127", quantity: 1, status: 200 },
  ...{ code: null, message: null, orderId: 12, count: 1 },
};
const deletedSentence = "Shop link deleted";
const proofRefusals: RefusalCode[] = ["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR"];
const offerRefusals: RefusalCode[] = ["INVALID_DAY_TIER", "NOT_SOLD"];
const creationRefusals: RefusalCode[] = [...proofRefusals, ...offerRefusals, "TOO_MANY_SHOP_LINKS"];
const bodyRefusals: RefusalCode[] = ["BODY_TOO_LARGE", "NOT_JSON", "SIGNATURE_WRONG", "INVALID_JSON", "INVALID"];
const spendingRefusals: RefusalCode[] = ["TOO_MANY_TRIES", "CLOCK_AHEAD", "CREDITS_SHORT", "CREDITS_PER_DAY_SPENT"];
const saleRefusals = ["NOT_FOUND", "SALE_CHANGED", ...bodyRefusals, ...offerRefusals, ...spendingRefusals] as const;

type Services = { access: Access; clients: Clients; publicUrl: URL | null; shopLinks: ShopLinks; sales: Sales };

/** An account's own shop links, which only full accounts have, and the call of the shops. */
export function createShopLinkRoutes({ access, clients, publicUrl, shopLinks: links, sales }: Services) {
  return new Elysia({ name: "shop links", prefix: "/api", tags: ["Shop links"] })
    .use(new Elysia({ prefix: "/admin/shop-links" }).use(routesOf("admin")))
    .use(new Elysia({ prefix: "/reseller/shop-links" }).use(routesOf("reseller")))
    .use(access)
    .post(
      "/shop/:ref",
      async ({ params, request, server, set }) => {
        const readBody = () => signedBodyOf({ request, server });
        const { headers } = request;
        const keys = await sales.sell(params.ref, { headers, readBody, origin: access.originOf(request) });
        set.headers["content-type"] = "text/plain; charset=utf-8";
        return keys.join("\n");
      },
      {
        open: "shops",
        params: Type.Object({ ref: Type.String() }),
        body: Type.Object({}, { additionalProperties: true }),
        response: { 200: Type.String() },
        detail: described({
          id: "sellToShop",
          summary: "Deliver the keys of a sale to the shop that was paid",
          description:
            "The body is the shop's own, at most 64 KiB, and signed with the link's secret. The response has one key a line, and is the same for the same sale id.",
          ...{ example: "PUBG-7KQ2-M9XD-4TRA", fileTypes: ["text/plain"], refusals: saleRefusals },
        }),
      },
    );

  function routesOf(who: Role) {
    const { form, change } = schema.formsOf[who];
    const [named, as] = who === "admin" ? ["Admin", " as an admin"] : ["", ""];
    const at = (request: Request) =>
      `${clients.isHttps(request) ? "https" : "http"}://${publicUrl?.host ?? new URL(request.url).host}`;
    const told = (does: string, what: string, summary: string, example: unknown, refusals: RefusalCode[] = []) =>
      described({ id: `${does}${named}ShopLink${what}`, summary, example, refusals });
    return new Elysia()
      .use(access)
      .get("", ({ caller, request }) => links.list(caller, at(request)), {
        onlyPeople: who,
        response: { 200: Type.Array(schema.ShopLink) },
        detail: told("list", "s", `Your shop links${as}, oldest first`, [exampleLink]),
      })
      .post(
        "",
        async ({ body, caller, request, status }) => status(201, await links.create(caller, body, at(request))),
        {
          onlyPeople: who,
          body: form,
          beforeHandle: leaveUncompressed,
          response: { 201: schema.NewShopLink },
          detail: told("create", "", `Create a shop link${as}`, { ...exampleLink, secret }, creationRefusals),
        },
      )
      .put("/:id", ({ params, body, caller, request }) => links.change(caller, params.id, body, at(request)), {
        onlyPeople: who,
        params: IdParams,
        body: change,
        response: { 200: schema.ShopLink },
        detail: told("change", "", `Change one of your shop links${as}`, exampleLink, offerRefusals),
      })
      .delete("/:id", ({ params, caller }) => messageAfter(links.remove(caller, params.id), deletedSentence), {
        onlyPeople: who,
        params: IdParams,
        response: { 200: Message },
        detail: told("delete", "", `Delete one of your shop links${as}, not its orders`, { message: deletedSentence }),
      })
      .post("/:id/secret", ({ params, body, caller }) => links.replaceSecret(caller, params.id, body), {
        onlyPeople: who,
        params: IdParams,
        body: schema.SecretForm,
        beforeHandle: leaveUncompressed,
        response: { 200: schema.NewShopSecret },
        detail: told("replace", "Secret", `Give one of your shop links${as} a new secret`, { secret }, proofRefusals),
      })
      .get(
        "/:id/sales",
        ({ params, query, caller, request, set }) => listed(caller, params.id, query, { request, set }),
        {
          onlyPeople: who,
          params: IdParams,
          query: DeliveryListQuery,
          response: { 200: Type.Array(schema.Sale) },
          detail: told("list", "Sales", `Sales of the last 30 days of a shop link${as}, newest first`, [exampleSale]),
        },
      );
  }

  function listed(caller: PersonCaller, id: number, query: DeliveryListQuery, reply: Reply) {
    return linkedRows(reply, sales.list(caller, id, query));
  }
}
