import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, publicTag } from "../http/describe.ts";
import { exampleUpdate } from "../http/examples.ts";
import { allowFromAnywhere, linkedRows, messageAfter, respondIfChanged } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import { Update, UpdateForm, UpdateListQuery } from "./schema.ts";
import type { Updates } from "./updates.ts";

/** Game clients call this at every start, so an unchanged list is not sent again. */
export function createPublishedUpdateRoutes({ access, updates }: { access: Access; updates: Updates }) {
  return new Elysia({ name: "published updates", prefix: "/api", tags: [publicTag] })
    .use(access)
    .options("/updates", allowFromAnywhere("GET"), { open: "anyOrigin" })
    .get("/updates", async ({ query, request, set }) => linkedRows({ request, set }, updates.published(query)), {
      open: "anyOrigin",
      query: UpdateListQuery,
      mapResponse: respondIfChanged,
      detail: described({
        id: "listPublishedUpdates",
        summary: "Active updates, newest first",
        description: "Send the `ETag` back as `If-None-Match`: if nothing has changed, the response is an empty 304.",
        example: [exampleUpdate],
        unchecked: Type.Array(Update),
        hasEtag: true,
      }),
    });
}

const deletedSentence = "Update deleted successfully!";

export function createUpdateRoutes({ access, updates }: { access: Access; updates: Updates }) {
  return new Elysia({ name: "updates", prefix: "/api/admin/online-updates", tags: ["Online updates"] })
    .use(access)
    .get("", ({ query, request, set }) => linkedRows({ request, set }, updates.list(query)), {
      only: ["admin", "updates:manage"],
      query: UpdateListQuery,
      response: { 200: Type.Array(Update) },
      detail: described({
        id: "listUpdates",
        summary: "All updates, newest first",
        example: [exampleUpdate],
      }),
    })
    .post("", async ({ body, caller, status }) => status(201, await updates.create(caller, body)), {
      only: ["admin", "updates:manage"],
      body: UpdateForm,
      response: { 201: Update },
      detail: described({
        id: "createUpdate",
        summary: "Publish an update",
        example: exampleUpdate,
      }),
    })
    .put("/:id", ({ params, body, caller }) => updates.change(caller, params.id, body), {
      only: ["admin", "updates:manage"],
      params: IdParams,
      body: UpdateForm,
      response: { 200: Update },
      detail: described({
        id: "changeUpdate",
        summary: "Change an update",
        example: { ...exampleUpdate, isActive: false, updatedAt: "2025-03-06T09:00:00.000Z" },
      }),
    })
    .delete("/:id", ({ params, caller }) => messageAfter(updates.remove(caller, params.id), deletedSentence), {
      only: ["admin", "updates:manage"],
      params: IdParams,
      response: { 200: Message },
      detail: described({
        id: "deleteUpdate",
        summary: "Delete an update",
        example: { message: deletedSentence },
      }),
    });
}
