import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, whenScanning, whenSignedIn, whenWriting } from "../http/describe.ts";
import { linkNext } from "../http/link-next.ts";
import { Id, IdParams, Message } from "../http/schema.ts";
import { wholeOrPage } from "../http/whole-list.ts";
import { exampleResellerKey, exampleResellerKeyDetail } from "./examples.ts";
import { idempotencyKeyIn } from "./idempotency.ts";
import type { Keys } from "./keys.ts";
import type { KeyLists } from "./lists.ts";
import type { Purchase } from "./purchase.ts";
import {
  BoughtKeys,
  KeyPurchase,
  ResellerKey,
  ResellerKeyDetail,
  ResellerKeyListQuery,
  RevokedResellerKey,
} from "./schema.ts";

export function createResellerKeyRoutes({
  access,
  keys,
  keyLists,
  purchase,
}: {
  access: Access;
  keys: Keys;
  keyLists: KeyLists;
  purchase: Purchase;
}) {
  return new Elysia({ name: "reseller-keys", prefix: "/api/reseller/keys", tags: ["Keys"] })
    .use(access)
    .get(
      "",
      ({ caller, query, request, set }) => {
        const tell = (matchCount: number) => {
          if (query.count === "true") set.headers["x-match-count"] = String(matchCount);
        };
        return wholeOrPage(query, set.headers, {
          whole: async () => {
            const { content, matchCount } = await keyLists.wholeOfReseller(caller, query);
            tell(matchCount);
            return content;
          },
          page: async () => {
            const { rows, nextCursor, matchCount } = await keyLists.ofReseller(caller.id, query);
            tell(matchCount);
            linkNext(request, set, nextCursor);
            return rows;
          },
        });
      },
      {
        only: "reseller",
        query: ResellerKeyListQuery,
        response: { 200: Type.Array(ResellerKey) },
        detail: described({
          id: "listOwnKeys",
          summary: "One's own keys",
          example: [exampleResellerKey],
          refusals: [...whenSignedIn, "INVALID", ...whenScanning],
        }),
      },
    )
    .post(
      "/generate",
      async ({ body, caller, request, set }) => {
        set.status = 201;
        return purchase.buy(caller, body, idempotencyKeyIn(request.headers));
      },
      {
        only: "reseller",
        body: KeyPurchase,
        response: { 201: BoughtKeys },
        detail: described({
          id: "buyKeys",
          summary: "Generate keys and pay for them with credits",
          description:
            "All keys are made and paid for, or none. Prices per key: 5 days 0.5, 10 days 1, 20 days 2, 30 days 3, 60 days 6 credits. An `Idempotency-Key` header makes a retry answer the first result again instead of charging twice.",
          example: { keys: [{ ...exampleResellerKey, devices: 0 }], credits: 9.5 },
          refusals: [
            ...([
              "CREDITS_SHORT",
              "INVALID_DAY_TIER",
              "KEY_TAKEN",
              "TOO_MANY_TRIES",
              "IDEMPOTENCY_KEY_REUSED",
            ] as const),
            ...whenSignedIn,
            ...whenWriting,
          ],
        }),
      },
    )
    .get("/:id", ({ params, caller }) => keys.openForReseller(caller.id, params.id), {
      only: "reseller",
      params: IdParams,
      response: { 200: ResellerKeyDetail },
      detail: described({
        id: "openOwnKey",
        summary: "One of one's own keys, with its devices",
        example: exampleResellerKeyDetail,
        refusals: ["NOT_FOUND", ...whenSignedIn],
      }),
    })
    .post(
      "/:id/revoke",
      async ({ params, caller }) => ({
        message: "The key has been successfully revoked",
        key: await keys.revokeAsReseller(caller, params.id),
      }),
      {
        only: "reseller",
        params: IdParams,
        response: { 200: RevokedResellerKey },
        detail: described({
          id: "revokeOwnKey",
          summary: "Revoke one's own active key, at once and for good",
          example: {
            message: "The key has been successfully revoked",
            key: { ...exampleResellerKey, status: "REVOKED" },
          },
          refusals: ["NOT_FOUND", "KEY_ALREADY_REVOKED", "KEY_NOT_ACTIVE", ...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .post(
      "/:id/devices/:deviceId/remove",
      async ({ params, caller }) => {
        await keys.removeDevice(caller, params.id, params.deviceId);
        return { message: "Device removed successfully" };
      },
      {
        only: "reseller",
        params: Type.Object({ id: Id, deviceId: Id }),
        response: { 200: Message },
        detail: described({
          id: "removeDevice",
          summary: "Remove a device from one's own active key",
          description: "`deviceId` is the `id` of the device in the key's details.",
          example: { message: "Device removed successfully" },
          refusals: ["NOT_FOUND", "KEY_NOT_ACTIVE", ...whenSignedIn, ...whenWriting],
        }),
      },
    );
}
