import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { NoteForm } from "../core/field.ts";
import { described, whenQuerying, whenSignedIn, whenWriting } from "../http/describe.ts";
import { streamedJson, wholeOrPage } from "../http/response.ts";
import { IdParams } from "../http/schema.ts";
import type { Resellers } from "../resellers/resellers.ts";
import type { Keys } from "./keys.ts";
import type { KeyLists } from "./list/lists.ts";
import {
  AdminKey,
  AdminKeyDetail,
  AdminKeyList,
  ChangedAdminKey,
  exampleAdminKey,
  exampleAdminKeyDetail,
  KeyListQuery,
  ResetDevices,
} from "./schema.ts";

type Services = { access: Access; keys: Keys; keyLists: KeyLists; resellers: Resellers };

export function createAdminKeyRoutes({ access, keys, keyLists, resellers }: Services) {
  return new Elysia({ name: "admin-keys", prefix: "/api/admin", tags: ["Keys"] })
    .use(access)
    .get(
      "/keys/manage",
      async ({ query, caller, set }) =>
        query.limit === undefined
          ? streamedJson<AdminKeyList>(await keyLists.wholeOfAdmins(caller, query), { set })
          : keyLists.ofAdmins(query),
      {
        only: "admin",
        query: KeyListQuery,
        response: { 200: AdminKeyList },
        detail: described({
          id: "listAdminKeys",
          summary: "Admin keys, searched, filtered, sorted and paged",
          example: { keys: [exampleAdminKey], totalCount: 128, matchCount: 1, nextCursor: null },
          refusals: [...whenSignedIn, "INVALID", ...whenQuerying],
        }),
      },
    )
    .post(
      "/keys/reset-devices",
      async ({ caller, request, server }) => {
        // With very many keys it takes longer than the server lets a connection be silent.
        server?.timeout(request, 0);
        return { resetCount: await keys.resetDevices(caller) };
      },
      {
        only: "admin",
        response: { 200: ResetDevices },
        detail: described({
          id: "resetDevices",
          summary: "Remove every device from every key, of admins and resellers",
          description:
            "Cannot be undone. It takes a while where there are very many keys; one that is broken off is asked for again.",
          example: { resetCount: 12 },
          refusals: [...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .get("/keys/:id/details", ({ params }) => keys.openForAdmin(params.id), {
      only: "admin",
      params: IdParams,
      response: { 200: AdminKeyDetail },
      detail: described({
        id: "openKey",
        summary: "Any key, with its devices, its history and who made it",
        example: exampleAdminKeyDetail,
        refusals: ["NOT_FOUND", ...whenSignedIn],
      }),
    })
    .delete(
      "/keys/:id",
      async ({ params, caller }) => ({
        message: "Key revoked successfully",
        key: await keys.revokeAsAdmin(caller, params.id),
      }),
      {
        only: "admin",
        params: IdParams,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "revokeKey",
          summary: "Revoke any key, at once and for good",
          example: {
            message: "Key revoked successfully",
            key: { ...exampleAdminKey, status: "REVOKED", isRevoked: true },
          },
          refusals: ["NOT_FOUND", "KEY_ALREADY_REVOKED", ...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .put(
      "/keys/:id/note",
      async ({ params, body, caller }) => ({
        message: "Note saved",
        key: await keys.noteAsAdmin(caller, params.id, body),
      }),
      {
        only: "admin",
        params: IdParams,
        body: NoteForm,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "noteAdminKey",
          summary: "Note an admin key; a reseller's key is its reseller's to note",
          example: { message: "Note saved", key: exampleAdminKey },
          refusals: ["NOT_FOUND", ...whenSignedIn, ...whenWriting],
        }),
      },
    )
    .get(
      "/resellers/:id/keys",
      async ({ params: { id }, query, caller, request, set }) => {
        await resellers.profile(id);
        return wholeOrPage(
          query,
          { request, set },
          () => keyLists.wholeOfResellerForAdmin(caller, id, query),
          () => keyLists.ofResellerForAdmin(id, query),
        );
      },
      {
        only: "admin",
        params: IdParams,
        query: KeyListQuery,
        response: { 200: Type.Array(AdminKey) },
        detail: described({
          id: "listResellerKeys",
          summary: "The keys of one reseller",
          example: [exampleAdminKey],
          refusals: ["NOT_FOUND", "INVALID", ...whenSignedIn, ...whenQuerying],
        }),
      },
    );
}
