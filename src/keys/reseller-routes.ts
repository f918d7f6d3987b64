import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { NoteForm } from "../core/field.ts";
import { described, whenQuerying, whenSignedIn, whenWriting } from "../http/describe.ts";
import { wholeOrPage } from "../http/response.ts";
import { Id, IdParams, Message } from "../http/schema.ts";
import type { Keys } from "./keys.ts";
import type { KeyLists } from "./list/lists.ts";
import {
  ChangedResellerKey,
  exampleResellerKey,
  exampleResellerKeyDetail,
  ResellerKey,
  ResellerKeyDetail,
  ResellerKeyListQuery,
} from "./schema.ts";

type Services = { access: Access; keys: Keys; keyLists: KeyLists };

export function createResellerKeyRoutes({ access, keys, keyLists }: Services) {
  return new Elysia({ name: "reseller-keys", prefix: "/api/reseller/keys", tags: ["Keys"] })
    .use(access)
    .get(
      "",
      async ({ caller, query, request, set }) => {
        const setCount = (matchCount: number) => {
          if (query.count === "true") set.headers["x-match-count"] = String(matchCount);
        };
        return wholeOrPage(
          query,
          { request, set },
          async () => {
            const { content, matchCount } = await keyLists.wholeOfReseller(caller, query);
            setCount(matchCount);
            return content;
          },
          async () => {
            const page = await keyLists.ofReseller(caller.id, query);
            setCount(page.matchCount);
            return page;
          },
        );
      },
      {
        only: "reseller",
        query: ResellerKeyListQuery,
        response: { 200: Type.Array(ResellerKey) },
        detail: described({
          id: "listOwnKeys",
          summary: "One's own keys",
          example: [exampleResellerKey],
          refusals: [...whenSignedIn, "INVALID", ...whenQuerying],
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
        response: { 200: ChangedResellerKey },
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
    .put(
      "/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        key: await keys.noteAsReseller(caller, params.id, body),
      }),
      {
        only: "reseller",
        params: IdParams,
        body: NoteForm,
        response: { 200: ChangedResellerKey },
        detail: described({
          id: "noteOwnKey",
          summary: "Note one's own key",
          example: { message: "Note saved", key: exampleResellerKey },
          refusals: ["NOT_FOUND", ...whenSignedIn, ...whenWriting],
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
