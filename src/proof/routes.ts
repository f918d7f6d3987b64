import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { oneOf } from "../core/field.ts";
import { described, publicTag } from "../http/describe.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** The public half of a key that signs verdicts (rules.md: Proofs). */
const PublicHalf = Type.Object({
  kid: Type.String({ examples: ["K7Q2M9XA"], description: "8 letters and digits, part of each proof" }),
  publicKey: Type.String({
    examples: ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
    description: "The 32 bytes of the Ed25519 key as base64url",
  }),
  state: oneOf(["next", "active", "previous"]),
});

/** The public halves, for people who build a game: a game that fetched them could be given others. */
export function createProofRoutes({ access, signingKeys }: { access: Access; signingKeys: SigningKeys }) {
  return new Elysia({ name: "proof", tags: [publicTag] })
    .use(access)
    .get("/.well-known/latchkey-keys", async () => ({ keys: await signingKeys.published() }), {
      open: "anyOrigin",
      response: { 200: Type.Object({ keys: Type.Array(PublicHalf) }) },
      detail: described({
        id: "listSigningKeys",
        summary: "The keys that sign verdicts",
        description: "Build the active and the next key into your game. Never fetch them while it runs.",
        example: {
          keys: [{ kid: "K7Q2M9XA", publicKey: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", state: "active" }],
        },
      }),
    });
}
