import { type Static, Type } from "@sinclair/typebox";
import { Credits } from "../../core/credits.ts";
import { oneOf, orNull } from "../../core/field.ts";
import { Instant, InstantOrNull } from "../../http/schema.ts";
import { Proof } from "../account-schema.ts";
import { adminScopes, resellerScopes, type Scope } from "../scopes.ts";
import { CreditsPerDay, Name } from "./api-key-form.ts";
import { addressesMax } from "./limits.ts";

const exampleScopes: Scope[] = ["keys:order", "keys:read"];

export function scopesField(name: string, scopes: readonly Scope[], examples: Scope[]) {
  const sentence = `${name} must be one or more of ${scopes.join(", ")}`;
  return Type.Array(oneOf(scopes, { says: { wrong: sentence } }), {
    minItems: 1,
    uniqueItems: true,
    examples: [examples],
    says: { required: sentence, tooSmall: sentence, wrong: sentence },
  });
}

export const addressesSentence = `Addresses must be at most ${addressesMax} IPv4 or IPv6 addresses or networks`;

export const expirySentence = "The expiry must be an ISO date or date-time";

const fields = {
  name: Name,
  expiresAt: Type.Optional(
    Type.Union([Type.Null(), Type.String({ maxLength: 64 })], {
      examples: ["2026-03-05"],
      description: "An ISO date (its end in UTC) or date-time; null or no value: never",
      says: { wrong: expirySentence },
    }),
  ),
  addresses: Type.Optional(
    Type.Union([Type.Null(), Type.Array(Type.String({ maxLength: 64 }), { maxItems: addressesMax })], {
      examples: [["203.0.113.7", "2001:db8::/32"]],
      description: "The addresses or networks that may use it; null or none: any",
      says: { wrong: addressesSentence },
    }),
  ),
  ...Proof.properties,
};

export const ResellerApiKeyForm = Type.Object({
  ...fields,
  scopes: scopesField("scopes", resellerScopes, exampleScopes),
  creditsPerDay: CreditsPerDay,
});
export const AdminApiKeyForm = Type.Object({ ...fields, scopes: scopesField("scopes", adminScopes, exampleScopes) });
export type ApiKeyForm = Static<typeof AdminApiKeyForm> & Partial<Static<typeof ResellerApiKeyForm>>;

export const ApiKey = Type.Object({
  id: Type.Integer({ examples: [3] }),
  name: Type.String({ examples: ["Shop"] }),
  lastFour: Type.String({ examples: ["x7Qd"] }),
  scopes: Type.Array(oneOf(adminScopes), { examples: [exampleScopes] }),
  createdAt: Instant,
  lastUsedAt: InstantOrNull,
  expiresAt: InstantOrNull,
  addresses: Type.Array(Type.String({ examples: ["203.0.113.7"] }), { description: "Empty: any" }),
  creditsPerDay: orNull(Credits, "Null: no limit"),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({ examples: ["lk_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd"], description: "Shown only this once" }),
});
export type NewApiKey = Static<typeof NewApiKey>;
