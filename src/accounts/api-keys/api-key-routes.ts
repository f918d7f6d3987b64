import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { described } from "../../http/describe.ts";
import { IdParams, Message } from "../../http/schema.ts";
import type { Access } from "../access.ts";
import type { Cookies } from "../sessions.ts";
import { AdminApiKeyForm, ApiKey, NewApiKey, ResellerApiKeyForm } from "./api-key-schema.ts";
import type { ApiKeys } from "./api-keys.ts";

const exampleApiKey = {
  id: 3,
  name: "Shop",
  lastFour: "x7Qd",
  scopes: ["keys:order", "keys:read"],
  createdAt: "2025-03-05T14:30:00.000Z",
  lastUsedAt: "2025-03-06T09:00:00.000Z",
  expiresAt: null,
  addresses: ["203.0.113.7"],
  creditsPerDay: 100,
};
const exampleNewApiKey = { ...exampleApiKey, lastUsedAt: null, key: "lk_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd" };
const exampleAdminApiKey = { ...exampleNewApiKey, scopes: ["stats:read"], creditsPerDay: null };

const deletedSentence = "API key deleted";

const whenCreating = ["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR", "TOO_MANY_API_KEYS"] as const;

/** The API keys of the caller's own account. No API key may make these calls. */
export function createApiKeyRoutes({
  access,
  cookies,
  apiKeys,
}: {
  access: Access;
  cookies: Cookies;
  apiKeys: ApiKeys;
}) {
  return new Elysia({ name: "API keys", prefix: "/api", tags: ["API keys"] })
    .use(access)
    .get("/admin/api-keys", ({ caller }) => apiKeys.list(caller), {
      onlyPeople: "admin",
      response: { 200: Type.Array(ApiKey) },
      detail: described({
        id: "listAdminApiKeys",
        summary: "Your API keys as an admin, oldest first",
        example: [{ ...exampleApiKey, scopes: ["stats:read"], creditsPerDay: null }],
      }),
    })
    .get("/reseller/api-keys", ({ caller }) => apiKeys.list(caller), {
      onlyPeople: "reseller",
      response: { 200: Type.Array(ApiKey) },
      detail: described({
        id: "listApiKeys",
        summary: "Your API keys, oldest first",
        example: [exampleApiKey],
      }),
    })
    .post(
      "/admin/api-keys",
      async ({ body, caller, request, set }) => {
        set.status = 201;
        return apiKeys.create({ ...caller, device: await cookies.deviceIn(request) }, body);
      },
      {
        onlyPeople: "admin",
        body: AdminApiKeyForm,
        response: { 201: NewApiKey },
        detail: described({
          id: "createAdminApiKey",
          summary: "Create an API key as an admin",
          description: "`code` is needed where two-factor sign-in is on.",
          example: exampleAdminApiKey,
          refusals: whenCreating,
        }),
      },
    )
    .post(
      "/reseller/api-keys",
      async ({ body, caller, request, set }) => {
        set.status = 201;
        return apiKeys.create({ ...caller, device: await cookies.deviceIn(request) }, body);
      },
      {
        onlyPeople: "reseller",
        body: ResellerApiKeyForm,
        response: { 201: NewApiKey },
        detail: described({
          id: "createApiKey",
          summary: "Create an API key",
          description: "`code` is needed where two-factor sign-in is on.",
          example: exampleNewApiKey,
          refusals: whenCreating,
        }),
      },
    )
    .delete(
      "/admin/api-keys/:id",
      async ({ params, caller }) => {
        await apiKeys.remove(caller, params.id);
        return { message: deletedSentence };
      },
      {
        onlyPeople: "admin",
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: "deleteAdminApiKey",
          summary: "Delete one of your API keys as an admin",
          example: { message: deletedSentence },
        }),
      },
    )
    .delete(
      "/reseller/api-keys/:id",
      async ({ params, caller }) => {
        await apiKeys.remove(caller, params.id);
        return { message: deletedSentence };
      },
      {
        onlyPeople: "reseller",
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: "deleteApiKey",
          summary: "Delete one of your API keys",
          description: "Programs that use it are refused at once.",
          example: { message: deletedSentence },
        }),
      },
    );
}
