import { useQuery } from "@tanstack/react-query";
import type { Role } from "../../src/accounts/schema.ts";
import type { Scope } from "../../src/accounts/scopes.ts";
import { twoFactorQuery } from "../api/calls/account.ts";
import { asTyped, NumberField, TextField } from "../ui/field/field.tsx";
import { OwnPasswordField } from "../ui/field/password-field.tsx";
import { BoxGroups, type BoxGroupsProps } from "./box-groups.tsx";

/** A form that has these fields among others. */
type FormWith<Name extends string> = { field: (name: Name) => { name: string; message?: string } };

interface ScopeFieldsProps extends Pick<BoxGroupsProps<Scope>, "groups"> {
  form: BoxGroupsProps<Scope>["form"] & FormWith<"creditsPerDay">;
  area: Role;
}

/** What an API key or a staff account may do, and spend. */
export function ScopeFields({ form, area, groups }: ScopeFieldsProps) {
  return (
    <>
      <BoxGroups
        form={form}
        groups={groups}
        labelOf={(scope) => scopeText(scope, area)}
        first={Object.values(groups).flat()[0] as Scope}
      />
      {area === "reseller" && (
        <NumberField
          {...form.field("creditsPerDay")}
          label="Credits per Day (optional)"
          inputMode="decimal"
          hint="The most it can spend in a day, in UTC."
        />
      )}
    </>
  );
}

/** Asks for one's own password, and for the code where it is needed. */
export function OwnProof({ form, username }: { form: FormWith<"password" | "code">; username: string }) {
  const { data: twoFactor } = useQuery(twoFactorQuery);
  const code = form.field("code");
  return (
    <>
      <OwnPasswordField {...form.field("password")} label="Your Password" username={username} />
      {/* The server may ask for the code where this page could not learn that it is needed. */}
      {(twoFactor?.enabled || code.message) && (
        <TextField
          {...code}
          label="Code"
          hint="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          {...asTyped}
        />
      )}
    </>
  );
}

/** The fields at which the refusals of `OwnProof` are shown. */
export const proofFields = {
  WRONG_CREDENTIALS: "password",
  SECOND_FACTOR_NEEDED: "code",
  WRONG_SECOND_FACTOR: "code",
} as const;

const keyScopes: Scope[] = ["verify", "keys:read", "keys:order", "keys:manage"];

export const scopeGroups: Record<Role, Record<string, Scope[]>> = {
  admin: {
    Keys: keyScopes,
    Resellers: ["credits:read", "resellers:read", "resellers:manage", "tokens:manage"],
    Panel: ["updates:manage", "stats:read", "audit:read"],
  },
  reseller: { Keys: keyScopes, Account: ["credits:read"] },
};

/** The same for staff, who does not verify keys. */
export function rightGroups(area: Role): Record<string, Scope[]> {
  const { Keys: _, ...others } = scopeGroups[area];
  return { Keys: keyScopes.slice(1), ...others };
}

/** What a scope allows, in a few words. */
export function scopeText(scope: Scope, area: Role): string {
  return scope === "credits:read" && area === "admin" ? "Read resellers' ledgers" : texts[scope];
}

const texts: Record<Scope, string> = {
  verify: "Verify keys from a server",
  "keys:read": "Read keys, orders and timelines, and search",
  "keys:order": "Generate and extend keys, change device limits",
  "keys:manage": "Change notes, revoke, pause, free devices",
  "credits:read": "Read your profile, ledger and figures",
  "resellers:read": "Read resellers",
  "resellers:manage": "Suspend resellers, grant credits, set prices",
  "tokens:manage": "Manage referral tokens",
  "updates:manage": "Manage online updates",
  "stats:read": "Read statistics, games and prices",
  "audit:read": "Read the audit log",
};
