import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { leaveUncompressed } from "../../http/compression.ts";
import { described } from "../../http/describe.ts";
import { messageAfter } from "../../http/response.ts";
import { IdParams, Message, type SchemaOf } from "../../http/schema.ts";
import type { Access } from "../access.ts";
import type { Role } from "../schema.ts";
import { AdminApiKeyForm, ApiKey, type ApiKeyForm, NewApiKey, ResellerApiKeyForm } from "./api-key-schema.ts";
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
const exampleAdminApiKey = { ...exampleApiKey, scopes: ["stats:read"], creditsPerDay: null };
const deletedSentence = "API key deleted";

/** The API keys of the caller's own account. No API key may make these calls. */
export function createApiKeyRoutes({ access, apiKeys }: { access: Access; apiKeys: ApiKeys }) {
  return new Elysia({ name: "API keys", prefix: "/api", tags: ["API keys"] })
    .use(new Elysia({ prefix: "/admin/api-keys" }).use(routesOf("admin", AdminApiKeyForm)))
    .use(new Elysia({ prefix: "/reseller/api-keys" }).use(routesOf("reseller", ResellerApiKeyForm)));

  function routesOf(who: Role, form: SchemaOf<ApiKeyForm>) {
    const ofAdmin = { named: "Admin", as: " as an admin", example: exampleAdminApiKey };
    const { named, as, example } = who === "admin" ? ofAdmin : { named: "", as: "", example: exampleApiKey };
    return new Elysia()
      .use(access)
      .get("", ({ caller }) => apiKeys.list(caller), {
        onlyPeople: who,
        response: { 200: Type.Array(ApiKey) },
        detail: described({
          id: `list${named}ApiKeys`,
          summary: `Your API keys${as}, oldest first`,
          example: [example],
        }),
      })
      .post("", async ({ body, caller, status }) => status(201, await apiKeys.create(caller, body)), {
        onlyPeople: who,
        body: form,
        beforeHandle: leaveUncompressed,
        response: { 201: NewApiKey },
        detail: described({
          id: `create${named}ApiKey`,
          summary: `Create an API key${as}`,
          description: "`code` is needed where two-factor sign-in is on.",
          example: { ...example, lastUsedAt: null, key: "lk_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd" },
          refusals: ["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR", "TOO_MANY_API_KEYS"],
        }),
      })
      .delete("/:id", ({ params, caller }) => messageAfter(apiKeys.remove(caller, params.id), deletedSentence), {
        onlyPeople: who,
        params: IdParams,
        response: { 200: Message },
        detail: described({
          id: `delete${named}ApiKey`,
          summary: `Delete one of your API keys${as}`,
          description: "Programs that use it are refused at once.",
          example: { message: deletedSentence },
        }),
      });
  }
}
