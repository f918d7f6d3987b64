import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import type { Role } from "../../accounts/schema.ts";
import { described } from "../../http/describe.ts";
import { messageAfter, whileSilent, wholeOrPage } from "../../http/response.ts";
import { IdParams, Message } from "../../http/schema.ts";
import { Block, BlockForm, BlockListQuery } from "./block-schema.ts";
import type { BlockedDevices } from "./blocked-devices.ts";

const exampleBlock = {
  ...{ id: 12, deviceId: "a3f1c9d2-phone", reason: "Key resold" },
  ...{ by: "night.owl", at: "2025-03-05T14:30:00.000Z" },
};
const unblockedSentence = "Device unblocked";

type Services = { access: Access; blockedDevices: BlockedDevices };

export function createBlockRoutes({ access, blockedDevices }: Services) {
  return new Elysia({ name: "blocked-devices", prefix: "/api", tags: ["Keys"] })
    .use(new Elysia({ prefix: "/admin/blocked-devices" }).use(routesOf("admin")))
    .use(new Elysia({ prefix: "/reseller/blocked-devices" }).use(routesOf("reseller")));

  function routesOf(who: Role) {
    const [own, covered] = who === "admin" ? ["", "all keys"] : ["Own", "your keys"];
    return new Elysia()
      .use(access)
      .get(
        "",
        ({ query, caller, request, set }) => wholeOrPage(query, { request, set }, blockedDevices.list(caller, query)),
        {
          only: [who, "keys:read"],
          query: BlockListQuery,
          response: { 200: Type.Array(Block) },
          detail: described({
            id: `list${own}BlockedDevices`,
            summary: `Devices that are blocked for ${covered}, newest first`,
            example: [exampleBlock],
          }),
        },
      )
      .post(
        "",
        async ({ body, caller, request, server, status }) => {
          const { block, isNew } = await whileSilent({ request, server }, () => blockedDevices.block(caller, body));
          return isNew ? status(201, block) : status(200, block);
        },
        {
          only: [who, "keys:manage"],
          body: BlockForm,
          response: { 200: Block, 201: Block },
          detail: described({
            id: `block${own}Device`,
            summary: `Block a device for ${covered}, and remove it from them`,
            description:
              "It verifies as DEVICE_BLOCKED, and connects to none of them. A device that is blocked already is a 200 with its block.",
            example: exampleBlock,
            refusals: ["TOO_MANY_BLOCKS"],
          }),
        },
      )
      .delete(
        "/:id",
        ({ params, caller }) => messageAfter(blockedDevices.unblock(caller, params.id), unblockedSentence),
        {
          only: [who, "keys:manage"],
          params: IdParams,
          response: { 200: Message },
          detail: described({
            id: `unblock${own}Device`,
            summary: "Unblock a device, which may then connect like a new one",
            example: { message: unblockedSentence },
          }),
        },
      );
  }
}
