import { type Static, Type } from "@sinclair/typebox";
import { creditsExample, creditsPerGrantMax, creditsPerGrantMaxText } from "../../core/credits.ts";
import { requiredLine } from "../../core/field.ts";
import type { FieldProblem } from "../../core/refusal.ts";
import { Proof } from "../account-schema.ts";
import { adminScopes, type Scope } from "../scopes.ts";
import { nameCharactersMax } from "./limits.ts";

export const Name = requiredLine("Name", "Shop", nameCharactersMax);

export const CreditsPerDay = Type.Optional(
  Type.Union([Type.Null(), Type.Number({ minimum: 0.1, maximum: creditsPerGrantMax })], {
    examples: [100],
    description: "What it may spend in a UTC day; null or no value: everything",
    says: {
      wrong: `Credits a day must be from 0.1 to ${creditsPerGrantMaxText}, ${creditsExample}`,
    },
  }),
);

const isChosen = Type.Optional(Type.Boolean());
export const scopeBoxes = Object.fromEntries(adminScopes.map((scope) => [scope, isChosen])) as Record<
  Scope,
  typeof isChosen
>;

/** The form on the page, which has a checkbox for each scope and a text for the addresses. */
export const ApiKeyPageForm = Type.Object({
  name: Name,
  ...scopeBoxes,
  creditsPerDay: CreditsPerDay,
  expiresAt: Type.Optional(Type.String()),
  addresses: Type.Optional(Type.String()),
  ...Proof.properties,
});
export type ApiKeyPageForm = Static<typeof ApiKeyPageForm>;

/** The first scope's field, where the message appears. */
export const scopesField = adminScopes[0];

export function needsScope(form: Partial<Record<Scope, boolean>>, path: Scope = scopesField): FieldProblem[] {
  return scopesIn(form).length > 0 ? [] : [{ path, message: "Choose at least one of these" }];
}

/** What is sent for the form. */
export function apiKeyIn(form: ApiKeyPageForm) {
  const { name, creditsPerDay, expiresAt, addresses = "", password, code } = form;
  return {
    ...{ name, creditsPerDay, password },
    scopes: scopesIn(form),
    expiresAt: expiresAt || undefined,
    addresses: addresses.split(/[\s,;]+/).filter((text) => text !== ""),
    code: code || undefined,
  };
}

export function scopesIn(form: Partial<Record<Scope, boolean>>): Scope[] {
  return adminScopes.filter((scope) => form[scope]);
}
