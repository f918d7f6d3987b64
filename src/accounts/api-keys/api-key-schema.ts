import { type Static, Type } from "@sinclair/typebox";
import { Credits, creditsExample, creditsPerGrantMax, creditsPerGrantMaxText } from "../../core/credits.ts";
import { invisible, oneOf } from "../../core/field.ts";
import { Instant, InstantOrNull } from "../../http/schema.ts";
import { CurrentPassword } from "../account-schema.ts";
import { SecondFactorCode } from "../schema.ts";
import { adminScopes, resellerScopes, type Scope } from "../scopes.ts";
import { addressesMax, nameCharactersMax } from "./limits.ts";

const exampleScopes: Scope[] = ["keys:order", "keys:read"];

const nameSentence = `Name must be 1 to ${nameCharactersMax} visible characters`;

function scopesField(scopes: readonly Scope[]) {
  const sentence = `scopes must be one or more of ${scopes.join(", ")}`;
  return Type.Array(oneOf(scopes, { says: { wrong: sentence } }), {
    minItems: 1,
    uniqueItems: true,
    examples: [exampleScopes],
    says: { required: sentence, tooSmall: sentence, wrong: sentence },
  });
}

const addressesSentence = `addresses must be at most ${addressesMax} IPv4 or IPv6 addresses or networks`;

const fields = {
  name: Type.RegExp(new RegExp(`^(?=.*[^\\p{Z}])[^${invisible}]{1,${nameCharactersMax}}$`, "u"), {
    examples: ["Shop"],
    pattern: `^.{1,${nameCharactersMax}}$`,
    says: { required: "Name is required", wrong: nameSentence },
  }),
  expiresAt: Type.Optional(
    Type.Union([Type.Null(), Type.String({ maxLength: 64 })], {
      examples: ["2026-03-05"],
      description: "An ISO date (its end in UTC) or date-time; null or no value: never",
      says: { wrong: "expiresAt must be an ISO date or date-time" },
    }),
  ),
  addresses: Type.Optional(
    Type.Union([Type.Null(), Type.Array(Type.String({ maxLength: 64 }), { maxItems: addressesMax })], {
      examples: [["203.0.113.7", "2001:db8::/32"]],
      description: "The addresses or networks that may use it; null or none: any",
      says: { wrong: addressesSentence },
    }),
  ),
  password: CurrentPassword,
  code: Type.Optional(SecondFactorCode),
};

export const ResellerApiKeyForm = Type.Object({
  ...fields,
  scopes: scopesField(resellerScopes),
  creditsPerDay: Type.Optional(
    Type.Union([Type.Null(), Type.Number({ minimum: 0.1, maximum: creditsPerGrantMax })], {
      examples: [100],
      description: "What it may spend in a UTC day; null or no value: everything",
      says: {
        wrong: `creditsPerDay must be from 0.1 to ${creditsPerGrantMaxText}, ${creditsExample}`,
      },
    }),
  ),
});
export const AdminApiKeyForm = Type.Object({ ...fields, scopes: scopesField(adminScopes) });
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
  creditsPerDay: Type.Union([Credits, Type.Null()], { description: "Null: no limit" }),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({ examples: ["lk_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd"], description: "Shown only this once" }),
});
export type NewApiKey = Static<typeof NewApiKey>;
