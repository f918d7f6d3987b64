import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { NoteForm } from "../core/field.ts";
import { described } from "../http/describe.ts";
import { streamedJson, whileSilent, wholeOrPage } from "../http/response.ts";
import { Id, IdParams, Message } from "../http/schema.ts";
import type { Resellers } from "../resellers/resellers.ts";
import type { Keys } from "./keys.ts";
import { adminKeysStream, type KeyLists, resellerKeysStream } from "./list/lists.ts";
import {
  adminKeyView,
  exampleAdminKey,
  exampleAdminKeyDetail,
  exampleResellerKey,
  exampleResellerKeyDetail,
  resellerKeyView,
} from "./model.ts";
import {
  AdminKey,
  AdminKeyDetail,
  AdminKeyList,
  ChangedAdminKey,
  ChangedResellerKey,
  KeyListQuery,
  ResellerKey,
  ResellerKeyDetail,
  ResellerKeyListQuery,
  ResetDevices,
  RevokedAdminKey,
  RevokedResellerKey,
} from "./schema.ts";

type Services = { access: Access; keys: Keys; keyLists: KeyLists; resellers: Resellers };

export function createKeyRoutes({ access, keys, keyLists, resellers }: Services) {
  return new Elysia({ name: "keys", prefix: "/api", tags: ["Keys"] })
    .use(access)
    .get(
      "/reseller/keys",
      async ({ caller, query, request, set }) => {
        const counted = (matchCount: number) => {
          if (query.count === "true") set.headers["x-match-count"] = String(matchCount);
        };
        const shown = { view: resellerKeyView, stream: resellerKeysStream, counted };
        return wholeOrPage(query, { request, set }, keyLists.ofReseller(caller, caller.id, query, shown));
      },
      {
        only: ["reseller", "keys:read"],
        query: ResellerKeyListQuery,
        response: { 200: Type.Array(ResellerKey) },
        detail: described({
          id: "listOwnKeys",
          summary: "Your keys",
          example: [exampleResellerKey],
        }),
      },
    )
    .get(
      "/admin/keys/manage",
      async ({ query, caller, set }) =>
        query.limit === undefined
          ? streamedJson<AdminKeyList>(await keyLists.wholeOfAdmins(caller, query), { set })
          : keyLists.ofAdmins(caller, query),
      {
        only: ["admin", "keys:read"],
        query: KeyListQuery,
        response: { 200: AdminKeyList },
        detail: described({
          id: "listAdminKeys",
          summary: "Admin keys, searched, filtered, sorted and paged",
          example: { keys: [exampleAdminKey], totalCount: 128, matchCount: 1, nextCursor: null },
        }),
      },
    )
    .get(
      "/admin/resellers/:id/keys",
      async ({ params: { id }, query, caller, request, set }) => {
        await resellers.profile(id);
        const shown = { view: adminKeyView, stream: adminKeysStream };
        return wholeOrPage(query, { request, set }, keyLists.ofReseller(caller, id, query, shown));
      },
      {
        only: ["admin", "keys:read"],
        params: IdParams,
        query: KeyListQuery,
        response: { 200: Type.Array(AdminKey) },
        detail: described({
          id: "listResellerKeys",
          summary: "The keys of one reseller",
          example: [exampleAdminKey],
        }),
      },
    )
    .get("/reseller/keys/:id", ({ params, caller }) => keys.openForReseller(caller.id, params.id), {
      only: ["reseller", "keys:read"],
      params: IdParams,
      response: { 200: ResellerKeyDetail },
      detail: described({
        id: "openOwnKey",
        summary: "One of your keys, with its devices",
        example: exampleResellerKeyDetail,
      }),
    })
    .get("/admin/keys/:id/details", ({ params }) => keys.openForAdmin(params.id), {
      only: ["admin", "keys:read"],
      params: IdParams,
      response: { 200: AdminKeyDetail },
      detail: described({
        id: "openKey",
        summary: "Any key, with its devices, its history and who made it",
        example: exampleAdminKeyDetail,
      }),
    })
    .post(
      "/reseller/keys/:id/revoke",
      async ({ params, caller }) => ({
        message: "The key has been successfully revoked",
        ...(await keys.revoke(caller, params.id, resellerKeyView)),
      }),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        response: { 200: RevokedResellerKey },
        detail: described({
          id: "revokeOwnKey",
          summary: "Revoke one of your active keys, at once and for good",
          description: "`refund` is what this gives back, in credits.",
          example: {
            message: "The key has been successfully revoked",
            key: { ...exampleResellerKey, status: "REVOKED" },
            refund: 0,
          },
          refusals: ["KEY_ALREADY_REVOKED", "KEY_NOT_ACTIVE", "BALANCE_TOO_LARGE"],
        }),
      },
    )
    .delete(
      "/admin/keys/:id",
      async ({ params, caller }) => ({
        message: "Key revoked successfully",
        ...(await keys.revoke(caller, params.id, adminKeyView)),
      }),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        response: { 200: RevokedAdminKey },
        detail: described({
          id: "revokeKey",
          summary: "Revoke any key, at once and for good",
          description: "`refund` is what this gives back to its reseller, in credits.",
          example: {
            message: "Key revoked successfully",
            key: { ...exampleAdminKey, status: "REVOKED", isRevoked: true },
            refund: 0,
          },
          refusals: ["KEY_ALREADY_REVOKED", "BALANCE_TOO_LARGE"],
        }),
      },
    )
    .put(
      "/reseller/keys/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        key: await keys.note(caller, params.id, body, resellerKeyView),
      }),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        body: NoteForm,
        response: { 200: ChangedResellerKey },
        detail: described({
          id: "noteOwnKey",
          summary: "Set the note of one of your keys",
          example: { message: "Note saved", key: exampleResellerKey },
        }),
      },
    )
    .put(
      "/admin/keys/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        key: await keys.note(caller, params.id, body, adminKeyView),
      }),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        body: NoteForm,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "noteAdminKey",
          summary: "Set the note of an admin key",
          example: { message: "Note saved", key: exampleAdminKey },
        }),
      },
    )
    .post(
      "/reseller/keys/:id/devices/:deviceId/remove",
      async ({ params, caller }) => {
        await keys.removeDevice(caller, params.id, params.deviceId);
        return { message: "Device removed successfully" };
      },
      {
        only: ["reseller", "keys:manage"],
        params: Type.Object({ id: Id, deviceId: Id }),
        response: { 200: Message },
        detail: described({
          id: "removeDevice",
          summary: "Remove a device from one of your active keys",
          description: "`deviceId` is the `id` of the device in the key's details.",
          example: { message: "Device removed successfully" },
          refusals: ["KEY_NOT_ACTIVE"],
        }),
      },
    )
    .post(
      "/admin/keys/:id/devices/:deviceId/remove",
      async ({ params, caller }) => {
        await keys.removeDevice(caller, params.id, params.deviceId);
        return { message: "Device removed successfully" };
      },
      {
        only: ["admin", "keys:manage"],
        params: Type.Object({ id: Id, deviceId: Id }),
        response: { 200: Message },
        detail: described({
          id: "removeDeviceOfKey",
          summary: "Remove a device from any active key",
          description: "`deviceId` is the `id` of the device in the key's details.",
          example: { message: "Device removed successfully" },
          refusals: ["KEY_NOT_ACTIVE"],
        }),
      },
    )
    .post(
      "/admin/keys/reset-devices",
      async ({ caller, request, server }) => ({
        resetCount: await whileSilent({ request, server }, () => keys.resetDevices(caller)),
      }),
      {
        only: ["admin", "keys:manage"],
        response: { 200: ResetDevices },
        detail: described({
          id: "resetDevices",
          summary: "Remove every device from every key, of admins and resellers",
          description:
            "This cannot be undone. It takes a while with very many keys; if the call breaks off, repeat it.",
          example: { resetCount: 12 },
        }),
      },
    );
}
