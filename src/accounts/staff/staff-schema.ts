import { type Static, Type } from "@sinclair/typebox";
import { Credits } from "../../core/credits.ts";
import { oneOf } from "../../core/field.ts";
import { Instant, InstantOrNull } from "../../http/schema.ts";
import { CurrentPassword, Proof } from "../account-schema.ts";
import { CreditsPerDay, scopeBoxes } from "../api-keys/api-key-form.ts";
import { scopesField } from "../api-keys/api-key-schema.ts";
import { Username } from "../schema.ts";
import { adminRights, resellerRights, type Scope } from "../scopes.ts";

const exampleRights: Scope[] = ["keys:read", "keys:manage"];

/** Admins' staff has no credits of which it could spend, so `staff.ts` refuses them. */
const ofAdmins = { rights: scopesField("rights", adminRights, exampleRights), creditsPerDay: CreditsPerDay };
const ofReseller = { ...ofAdmins, rights: scopesField("rights", resellerRights, exampleRights) };

const newFields = { username: Username, ...Proof.properties };
export const AdminStaffForm = Type.Object({ ...newFields, ...ofAdmins });
export const ResellerStaffForm = Type.Object({ ...newFields, ...ofReseller });
export type StaffForm = Static<typeof ResellerStaffForm>;

const isActive = Type.Optional(
  Type.Boolean({
    description: "False switches it off, and ends its sessions",
    says: { wrong: "isActive must be true or false" },
  }),
);
const changedFields = { isActive, password: Type.Optional(CurrentPassword), code: Proof.properties.code };
export const AdminStaffChange = Type.Object({ ...changedFields, ...ofAdmins, rights: Type.Optional(ofAdmins.rights) });
export const ResellerStaffChange = Type.Object({
  ...changedFields,
  ...ofReseller,
  rights: Type.Optional(ofReseller.rights),
});
export type StaffChange = Static<typeof ResellerStaffChange>;

/** An account that helps a reseller, or the admins (rules.md: Staff). */
export const StaffAccount = Type.Object({
  id: Type.Integer({ examples: [7] }),
  username: Type.String({ examples: ["night.helper"] }),
  rights: Type.Array(oneOf<Scope[]>(adminRights), { examples: [exampleRights] }),
  creditsPerDay: Type.Union([Credits, Type.Null()], { description: "Null: no limit" }),
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
