import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described } from "../http/describe.ts";
import { messageAfter, wholeOrPage } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import { IssuedToken, Token, TokenListQuery, TokenOrder } from "./schema.ts";
import type { Tokens } from "./tokens.ts";

const exampleToken = {
  id: 5,
  token: "hK3vWq8ZsT2mXc7RbN4pLd",
  createdAt: "2025-03-05T14:30:00.000Z",
  usedBy: null,
  credits: 10,
  isUsed: false,
  label: "for Ana",
};

const revokedSentence = "Token revoked successfully";

export function createTokenRoutes({ access, tokens }: { access: Access; tokens: Tokens }) {
  return new Elysia({ name: "tokens", prefix: "/api/admin/tokens", tags: ["Referral tokens"] })
    .use(access)
    .get("", ({ query, caller, request, set }) => wholeOrPage(query, { request, set }, tokens.list(caller, query)), {
      only: ["admin", "tokens:manage"],
      query: TokenListQuery,
      response: { 200: Type.Array(Token) },
      detail: described({
        id: "listTokens",
        summary: "Referral tokens, newest first",
        example: [exampleToken],
      }),
    })
    .post("/generate", async ({ body, caller, status }) => status(201, { token: await tokens.issue(caller, body) }), {
      only: ["admin", "tokens:manage"],
      body: TokenOrder,
      response: { 201: IssuedToken },
      detail: described({
        id: "issueToken",
        summary: "Issue a referral token, with or without bonus credits and a label",
        example: { token: exampleToken },
      }),
    })
    .delete("/:id", ({ params, caller }) => messageAfter(tokens.revoke(caller, params.id), revokedSentence), {
      only: ["admin", "tokens:manage"],
      params: IdParams,
      response: { 200: Message },
      detail: described({
        id: "revokeToken",
        summary: "Revoke an unused referral token",
        description:
          "It disappears from the list and can no longer be used; the audit log keeps it. A used one is a 409.",
        example: { message: revokedSentence },
        refusals: ["TOKEN_USED"],
      }),
    });
}
