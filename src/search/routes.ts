import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described } from "../http/describe.ts";
import { exampleAdminKey, exampleResellerKey } from "../keys/model.ts";
import { AdminFindings, ResellerFindings, SearchQuery } from "./schema.ts";
import type { Search } from "./search.ts";

const found = { close: false, foundBy: "text" } as const;
const description =
  "At most 8 of each, best first. Keys are found by any part of their text or of a connected device's id, ignoring case, dashes and spaces, and by note. If nothing matches, look-alikes of the text (O and 0, I, L and 1, S and 5, B and 8) are found, each marked `close`. Orders are found by their number, with or without #, and by note and external id.";

export function createSearchRoutes({ access, search }: { access: Access; search: Search }) {
  return new Elysia({ name: "search", prefix: "/api", tags: ["Search"] })
    .use(access)
    .get("/admin/search", ({ query, caller }) => search.everything(caller, query.q), {
      only: ["admin", "keys:read"],
      query: SearchQuery,
      response: { 200: AdminFindings },
      detail: described({
        id: "searchEverything",
        summary: "Find any key, reseller, token or order",
        description: `${description} Keys are also found by their reseller's username, and tokens by part of their text, where case matters.`,
        example: {
          keys: [{ ...exampleAdminKey, ...found, owner: "night.owl" }],
          resellers: [],
          tokens: [],
          orders: [],
        },
      }),
    })
    .get("/reseller/search", ({ query, caller }) => search.own(caller, query.q), {
      only: ["reseller", "keys:read"],
      query: SearchQuery,
      response: { 200: ResellerFindings },
      detail: described({
        id: "searchOwn",
        summary: "Find your keys and orders",
        description,
        example: { keys: [{ ...exampleResellerKey, ...found }], resellers: [], tokens: [], orders: [] },
      }),
    });
}
