import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { type Role, resellerIdOf } from "../accounts/schema.ts";
import { GameFilter } from "../catalogue/game-name.ts";
import { NoteForm } from "../core/field.ts";
import { described } from "../http/describe.ts";
import { messageAfter, streamedJson, whileSilent, wholeOrPage } from "../http/response.ts";
import { Id, IdParams, Message, type SchemaOf } from "../http/schema.ts";
import type { Resellers } from "../resellers/resellers.ts";
import type { Keys } from "./keys.ts";
import { adminKeysStream, type KeyLists, resellerKeysStream } from "./list/lists.ts";
import {
  adminKeyView,
  exampleAdminKey,
  exampleAdminKeyDetail,
  exampleResellerKey,
  exampleResellerKeyDetail,
  type KeyView,
  resellerKeyView,
} from "./model.ts";
import {
  AdminKey,
  AdminKeyDetail,
  AdminKeyList,
  ChangedAdminKey,
  ChangedResellerKey,
  KeyListQuery,
  RemovedDevices,
  ResellerKey,
  ResellerKeyDetail,
  ResellerKeyListQuery,
  ResetDevices,
  RevokedAdminKey,
  RevokedResellerKey,
  SharedAdminKey,
  SharedResellerKey,
} from "./schema.ts";

const revokedSentence = "Key revoked successfully";
const ownRevokedSentence = "The key has been successfully revoked";
const notedSentence = "Note saved";
const allRemovedSentence = "Devices removed successfully";
const removedSentence = "Device removed successfully";

/** How a role sees a key, for the calls that both roles have. */
export interface RoleOfKeys<Who extends Role, Key> {
  who: Who;
  view: KeyView<Key>;
  changed: SchemaOf<{ message: string; key: Key }>;
  example: object;
}
export const asAdmin = {
  who: "admin",
  view: adminKeyView,
  changed: ChangedAdminKey,
  example: exampleAdminKey,
} as const;
export const asReseller = {
  who: "reseller",
  view: resellerKeyView,
  changed: ChangedResellerKey,
  example: exampleResellerKey,
} as const;

/** Marks the ids of a reseller's calls: `pauseOwnKey` is `pauseKey` for admins. */
export const ownFor = (who: Role) => (who === "reseller" ? "Own" : "");

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
        return wholeOrPage(query, { request, set }, keyLists.ofReseller(caller, resellerIdOf(caller), query, shown));
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
    .get("/reseller/keys/:id", ({ params, caller }) => keys.openForReseller(resellerIdOf(caller), params.id), {
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
      ({ params, caller }) => messageAfter(keys.revoke(caller, params.id, resellerKeyView), ownRevokedSentence),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        response: { 200: RevokedResellerKey },
        detail: described({
          id: "revokeOwnKey",
          summary: "Revoke one of your active keys, at once and for good",
          description: "`refund` is what this gives back, in credits.",
          example: {
            message: ownRevokedSentence,
            key: { ...exampleResellerKey, status: "REVOKED" },
            refund: 0,
          },
          refusals: ["KEY_ALREADY_REVOKED", "KEY_NOT_ACTIVE", "BALANCE_TOO_LARGE"],
        }),
      },
    )
    .delete(
      "/admin/keys/:id",
      ({ params, caller }) => messageAfter(keys.revoke(caller, params.id, adminKeyView), revokedSentence),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        response: { 200: RevokedAdminKey },
        detail: described({
          id: "revokeKey",
          summary: "Revoke any key, at once and for good",
          description: "`refund` is what this gives back to its reseller, in credits.",
          example: {
            message: revokedSentence,
            key: { ...exampleAdminKey, status: "REVOKED", isRevoked: true },
            refund: 0,
          },
          refusals: ["KEY_ALREADY_REVOKED", "BALANCE_TOO_LARGE"],
        }),
      },
    )
    .use(note(asReseller, "noteOwnKey", "Set the note of one of your keys"))
    .use(note(asAdmin, "noteAdminKey", "Set the note of an admin key"))
    .use(shared(asReseller, Type.Array(SharedResellerKey), "listOwnSharedKeys", "Your keys that seem to be shared"))
    .use(shared(asAdmin, Type.Array(SharedAdminKey), "listSharedKeys", "Keys of all owners that seem to be shared"))
    .use(deviceRemoval("reseller", "removeDevice", "Remove a device from one of your active keys"))
    .use(deviceRemoval("admin", "removeDeviceOfKey", "Remove a device from any active key"))
    .post(
      "/admin/keys/reset-devices",
      async ({ caller, request, server }) => ({
        resetCount: await whileSilent({ request, server }, () => keys.resetDevices(caller)),
      }),
      {
        only: ["admin", "keys:manage", []],
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

  function note<Who extends Role, Key>(
    { who, view, changed, example }: RoleOfKeys<Who, Key>,
    id: string,
    summary: string,
  ) {
    return new Elysia().use(access).put(
      `/${who}/keys/:id/note`,
      async ({ params, body, caller }) => ({
        message: notedSentence,
        key: await keys.note(caller, params.id, body, view),
      }),
      {
        only: [who, "keys:manage"],
        params: IdParams,
        body: NoteForm,
        response: { 200: changed },
        detail: described({ id, summary, example: { message: notedSentence, key: example } }),
      },
    );
  }

  function shared<Who extends Role, Key>(
    { who, view, example }: RoleOfKeys<Who, Key>,
    response: SchemaOf<{ key: Key; devicesRefused: number; releases: number }[]>,
    id: string,
    summary: string,
  ) {
    return new Elysia()
      .use(access)
      .get(`/${who}/shared-keys`, ({ query, caller }) => keyLists.shared(caller, query.game, view), {
        only: [who, "keys:read"],
        query: Type.Object({ game: GameFilter }),
        response: { 200: response },
        detail: described({
          id,
          summary,
          description:
            "At most 200 ACTIVE keys that at least 3 different devices found full since yesterday, most first.",
          example: [{ key: example, devicesRefused: 31, releases: 2 }],
        }),
      });
  }

  function deviceRemoval<Who extends Role>(who: Who, id: string, summary: string) {
    return new Elysia()
      .use(access)
      .post(
        `/${who}/keys/:id/devices/:deviceId/remove`,
        async ({ params, caller }) => {
          await keys.removeDevices(caller, params.id, params.deviceId);
          return { message: removedSentence };
        },
        {
          only: [who, "keys:manage"],
          params: Type.Object({ id: Id, deviceId: Id }),
          response: { 200: Message },
          detail: described({
            id,
            summary,
            description: "`deviceId` is the `id` of the device in the key's details.",
            example: { message: removedSentence },
            refusals: ["KEY_NOT_ACTIVE"],
          }),
        },
      )
      .post(
        `/${who}/keys/:id/devices/remove-all`,
        async ({ params, caller }) => {
          return { message: allRemovedSentence, removed: await keys.removeDevices(caller, params.id, "all") };
        },
        {
          only: [who, "keys:manage"],
          params: IdParams,
          response: { 200: RemovedDevices },
          detail: described({
            id: id.replace("Device", "AllDevices"),
            summary: summary.replace("a device", "all devices"),
            example: { message: allRemovedSentence, removed: 2 },
            refusals: ["KEY_NOT_ACTIVE"],
          }),
        },
      );
  }
}
