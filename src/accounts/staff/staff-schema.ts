import { type Static, Type } from "@sinclair/typebox";
import { Credits } from "../../core/credits.ts";
import { oneOf, orNull } from "../../core/field.ts";
import { Instant, InstantOrNull } from "../../http/schema.ts";
import { Proof } from "../account-schema.ts";
import { CreditsPerDay, scopeBoxes } from "../api-keys/api-key-form.ts";
import { scopesField } from "../api-keys/api-key-schema.ts";
import { Username } from "../schema.ts";
import { adminRights, resellerRights, type Scope } from "../scopes.ts";

const exampleRights: Scope[] = ["keys:read", "keys:manage"];

const isActive = Type.Boolean({
  description: "False switches it off, and ends its sessions",
  says: { wrong: "isActive must be true or false" },
});

/** Admins' staff has no credits to spend, so `staff.ts` refuses them. */
function formsWith(rights: readonly Scope[]) {
  const fields = {
    rights: scopesField("rights", rights, exampleRights),
    creditsPerDay: CreditsPerDay,
    ...Proof.properties,
  };
  return {
    form: Type.Object({ username: Username, ...fields }),
    change: Type.Partial(Type.Object({ isActive, ...fields })),
  };
}

export const { form: AdminStaffForm, change: AdminStaffChange } = formsWith(adminRights);
export const { form: ResellerStaffForm, change: ResellerStaffChange } = formsWith(resellerRights);
export type StaffForm = Static<typeof ResellerStaffForm>;
export type StaffChange = Static<typeof ResellerStaffChange>;

/** An account that helps a reseller, or the admins (rules.md: Staff). */
export const StaffAccount = Type.Object({
  id: Type.Integer({ examples: [7] }),
  username: Type.String({ examples: ["night.helper"] }),
  rights: Type.Array(oneOf<Scope[]>(adminRights), { examples: [exampleRights] }),
  creditsPerDay: orNull(Credits, "Null: no limit"),
  isActive: Type.Boolean({ description: "False where it is switched off" }),
  hasTwoFactor: Type.Boolean(),
  createdAt: Instant,
  lastSeenAt: { ...InstantOrNull, description: "Of its latest open session; null if it has none" },
});
export type StaffAccount = Static<typeof StaffAccount>;

const newPassword = Type.String({ examples: ["vR7mKp2sXw9nTq4bHc6d"], description: "Shown only this once" });
export const NewStaffAccount = Type.Object({ ...StaffAccount.properties, newPassword });
export type NewStaffAccount = Static<typeof NewStaffAccount>;
export const NewStaffPassword = Type.Object({ newPassword });

/** The form on the page, which has a checkbox for each right. It keeps the username of an account that is changed. */
export const StaffPageForm = Type.Object({
  username: Username,
  ...scopeBoxes,
  creditsPerDay: CreditsPerDay,
  ...Proof.properties,
});
export type StaffPageForm = Static<typeof StaffPageForm>;
