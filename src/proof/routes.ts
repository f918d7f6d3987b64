import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, publicTag } from "../http/describe.ts";
import { SigningKeys as Body } from "./schema.ts";
import type { SigningKeys } from "./signing-keys.ts";

/** The public halves, for people who build a game: a game that fetched them could be given others. */
export function createProofRoutes({ access, signingKeys }: { access: Access; signingKeys: SigningKeys }) {
  return new Elysia({ name: "proof", tags: [publicTag] })
    .use(access)
    .get("/.well-known/latchkey-keys", async () => ({ keys: await signingKeys.published() }), {
      open: "anyOrigin",
      response: { 200: Body },
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
