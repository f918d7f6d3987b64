import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import { described } from "../../http/describe.ts";
import { IdParams } from "../../http/schema.ts";
import { adminKeyView, exampleAdminKey, exampleResellerKey, resellerKeyView } from "../model.ts";
import { ChangedAdminKey, ChangedResellerKey } from "../schema.ts";
import type { Pauses } from "./pause.ts";

const paused = { status: "PAUSED", pausedAt: "2025-03-06T09:00:00.000Z" };
const whenChanging = ["NOT_FOUND", "KEY_NOT_ACTIVE", "CLOCK_AHEAD"] as const;

/** Pausing and resuming one key (rules.md: The time of a key). */
export function createPauseRoutes({ access, pauses }: { access: Access; pauses: Pauses }) {
  return new Elysia({ name: "pauses", prefix: "/api", tags: ["Keys"] })
    .use(access)
    .post(
      "/reseller/keys/:id/pause",
      async ({ params, caller }) => ({
        message: "The key is paused",
        key: await pauses.pause(caller, params.id, resellerKeyView),
      }),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        response: { 200: ChangedResellerKey },
        detail: described({
          id: "pauseOwnKey",
          summary: "Pause one of your active keys, for 30 days in total",
          description: "It verifies as PAUSED and loses no time. When the days are used up, the pause ends by itself.",
          example: { message: "The key is paused", key: { ...exampleResellerKey, ...paused } },
          refusals: ["PAUSE_USED_UP", ...whenChanging],
        }),
      },
    )
    .post(
      "/reseller/keys/:id/resume",
      async ({ params, caller }) => ({
        message: "The key is active",
        key: await pauses.resume(caller, params.id, resellerKeyView),
      }),
      {
        only: ["reseller", "keys:manage"],
        params: IdParams,
        response: { 200: ChangedResellerKey },
        detail: described({
          id: "resumeOwnKey",
          summary: "Resume a key that you paused",
          description: "It gets back exactly the time that it was paused.",
          example: { message: "The key is active", key: exampleResellerKey },
          refusals: ["PAUSED_BY_ADMIN", ...whenChanging],
        }),
      },
    )
    .post(
      "/admin/keys/:id/pause",
      async ({ params, caller }) => ({
        message: "The key is paused",
        key: await pauses.pause(caller, params.id, adminKeyView),
      }),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "pauseKey",
          summary: "Pause any active key, or take over its reseller's pause",
          description: "Only admins can resume it, and it does not use the reseller's days.",
          example: { message: "The key is paused", key: { ...exampleAdminKey, ...paused } },
          refusals: whenChanging,
        }),
      },
    )
    .post(
      "/admin/keys/:id/resume",
      async ({ params, caller }) => ({
        message: "The key is active",
        key: await pauses.resume(caller, params.id, adminKeyView),
      }),
      {
        only: ["admin", "keys:manage"],
        params: IdParams,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "resumeKey",
          summary: "Resume any paused key",
          description: "It gets back exactly the time that it was paused.",
          example: { message: "The key is active", key: exampleAdminKey },
          refusals: whenChanging,
        }),
      },
    );
}
