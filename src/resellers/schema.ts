import { type Static, Type } from "@sinclair/typebox";
import { SessionUser } from "../accounts/schema.ts";
import { Credits, creditsExample, creditsPerGrantMax, creditsPerGrantMaxText, tenthsOf } from "../core/credits.ts";
import { NoteForm, oneOf, optionalNote, textOrNull } from "../core/field.ts";
import type { FieldProblem } from "../core/refusal.ts";
import { descendingField, Instant, pagingFields, searchField } from "../http/schema.ts";

/** A reseller as admins list them. */
export const Reseller = Type.Object({
  id: Type.Integer({ examples: [2] }),
  username: Type.String({ examples: ["night.owl"] }),
  registrationDate: Instant,
  credits: Credits,
  totalKeys: Type.Integer({ examples: [14] }),
  isActive: Type.Boolean(),
  suspensionReason: textOrNull("Invoices of October", "The reason for the suspension; null for an active reseller"),
  priceListId: Type.Integer({ examples: [1] }),
});
export type Reseller = Static<typeof Reseller>;

export const ResellerProfile = Type.Object({ username: Type.String(), credits: Credits, registrationDate: Instant });
export type ResellerProfile = Static<typeof ResellerProfile>;

export const resellerSorts = ["username", "registered", "credits", "keys"] as const;
export type ResellerSort = (typeof resellerSorts)[number];

export const ResellerListQuery = Type.Object({
  ...searchField("Part of the username, ignoring case"),
  status: Type.Optional(
    oneOf(["active", "suspended", "all"], { says: { wrong: "status must be active or suspended" } }),
  ),
  sort: Type.Optional(
    oneOf(resellerSorts, {
      description: "By default registered, newest first",
      says: { wrong: `sort must be one of ${resellerSorts.join(", ")}` },
    }),
  ),
  ...descendingField,
  ...pagingFields,
});
export type ResellerListQuery = Static<typeof ResellerListQuery>;

/** A reseller must be selected; the amount is a whole number of at least 1 (rules.md: Credits). */
export const CreditGrant = Type.Object({
  resellerId: Type.Integer({
    minimum: 1,
    examples: [2],
    says: { required: "Please select a reseller", wrong: "Please select a reseller" },
  }),
  amount: Type.Integer({
    minimum: 1,
    maximum: creditsPerGrantMax,
    examples: [50],
    says: {
      required: "Amount is required",
      tooSmall: "Amount must be at least 1",
      tooLarge: `Amount must be at most ${creditsPerGrantMaxText}`,
      wrong: "A whole number of credits, please.",
    },
  }),
  ...NoteForm.properties,
});
export type CreditGrant = Static<typeof CreditGrant>;

/** Takes back part of a grant, or as much as possible (rules.md: Credits). */
export const TakeBack = Type.Object({
  ledgerId: Type.Integer({
    minimum: 1,
    examples: [24],
    description: "The grant's entry in the ledger",
    says: { required: "ledgerId is required", wrong: "ledgerId must be the id of a ledger entry" },
  }),
  amount: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: creditsPerGrantMax,
      examples: [20],
      description: "By default as much as possible",
      says: {
        tooSmall: "Amount must be at least 0.1",
        tooLarge: `Amount must be at most ${creditsPerGrantMaxText}`,
        wrong: `Amount must be a number, ${creditsExample}`,
      },
    }),
  ),
});
export type TakeBack = Static<typeof TakeBack>;

export function problemsInTakeBack({ amount = 1 }: Pick<TakeBack, "amount">): FieldProblem[] {
  const fine = tenthsOf(amount) !== null;
  return fine ? [] : [{ path: "amount", message: "Amount may have at most one decimal" }];
}

export const StatusChange = Type.Object({
  isActive: Type.Boolean({ says: { required: "isActive is required", wrong: "isActive must be true or false" } }),
  reason: optionalNote("Reason", "Invoices of October"),
});
export type StatusChange = Static<typeof StatusChange>;

export const ChangedReseller = Type.Object({ message: Type.String(), reseller: Reseller });

export const RegisteredReseller = Type.Object({ message: Type.String(), user: SessionUser });

export const NewPassword = Type.Object({ password: Type.String({ examples: ["vR7mKp2sXw9nTq4bHc6d"] }) });
