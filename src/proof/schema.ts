import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../core/field.ts";

/** The public half of a key that signs verdicts (rules.md: Proofs). */
export const SigningKey = Type.Object({
  kid: Type.String({ examples: ["K7Q2M9XA"], description: "8 letters and digits, part of each proof" }),
  publicKey: Type.String({
    examples: ["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
    description: "The 32 bytes of the Ed25519 key as base64url",
  }),
  state: oneOf(["next", "active", "previous"]),
});
export type SigningKey = Static<typeof SigningKey>;

export const SigningKeys = Type.Object({ keys: Type.Array(SigningKey) });
