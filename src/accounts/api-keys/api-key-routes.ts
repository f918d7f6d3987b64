import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { leaveUncompressed } from "../../http/compression.ts";
import { described } from "../../http/describe.ts";
import { messageAfter } from "../../http/response.ts";
import { IdParams, Message, type SchemaOf } from "../../http/schema.ts";
import type { Access } from "../access.ts";
import type { Role } from "../schema.ts";
import type { Cookies } from "../sessions.ts";
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

type Services = { access: Access; cookies: Cookies; apiKeys: ApiKeys };

/** The API keys of the caller's own account. No API key may make these calls. */
export function createApiKeyRoutes({ access, cookies, apiKeys }: Services) {
  return new Elysia({ name: "API keys", prefix: "/api", tags: ["API keys"] })
    .use(listAndCreation("admin", AdminApiKeyForm, exampleAdminApiKey))
    .use(listAndCreation("reseller", ResellerApiKeyForm, exampleApiKey))
    .use(deletion("admin"))
    .use(deletion("reseller", "Programs that use it are refused at once."));

  function listAndCreation<Area extends Role, Form extends ApiKeyForm>(
    area: Area,
    form: SchemaOf<Form>,
    example: typeof exampleApiKey | typeof exampleAdminApiKey,
  ) {
    const { who, named, as } = callsIn(area);
    return new Elysia()
      .use(access)
      .get(`/${area}/api-keys`, ({ caller }) => apiKeys.list(caller), {
        onlyPeople: who,
        response: { 200: Type.Array(ApiKey) },
        detail: described({
          id: `list${named}ApiKeys`,
          summary: `Your API keys${as}, oldest first`,
          example: [example],
        }),
      })
      .post(
        `/${area}/api-keys`,
        async ({ body, caller, request, status }) => {
          const device = await cookies.deviceIn(request);
          return status(201, await apiKeys.create({ ...caller, device }, body));
        },
        {
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
        },
      );
  }

  function deletion<Area extends Role>(area: Area, description?: string) {
    const { who, named, as } = callsIn(area);
    return new Elysia()
      .use(access)
      .delete(
        `/${area}/api-keys/:id`,
        ({ params, caller }) => messageAfter(apiKeys.remove(caller, params.id), deletedSentence),
        {
          onlyPeople: who,
          params: IdParams,
          response: { 200: Message },
          detail: described({
            id: `delete${named}ApiKey`,
            summary: `Delete one of your API keys${as}`,
            description,
            example: { message: deletedSentence },
          }),
        },
      );
  }
}

/** Who may make the calls in an area, as a type that is not generic, which Elysia needs, and what names them. */
function callsIn(who: Role) {
  return who === "admin" ? { who, named: "Admin", as: " as an admin" } : { who, named: "", as: "" };
}
