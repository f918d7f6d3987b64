import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiKeyPageForm, apiKeyIn, needsScope, scopesField } from "../../../src/accounts/api-keys/api-key-form.ts";
import type { ApiKey } from "../../../src/accounts/api-keys/api-key-schema.ts";
import { nameCharactersMax } from "../../../src/accounts/api-keys/limits.ts";
import type { Role } from "../../../src/accounts/schema.ts";
import type { Scope } from "../../../src/accounts/scopes.ts";
import { apiKeyCalls, twoFactorQuery } from "../../api/calls/account.ts";
import { refresh, useWork } from "../../api/query.ts";
import { BoxGroups } from "../../forms/box-groups.tsx";
import { Confirmation } from "../../forms/confirmation.tsx";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Form } from "../../forms/use-form.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { ShownOnce } from "../../ui/dialog/shown-once.tsx";
import { asTyped, NumberField, TextField } from "../../ui/field/field.tsx";
import { OwnPasswordField } from "../../ui/field/password-field.tsx";

interface ApiKeyDialogProps extends Openable {
  area: Role;
  username: string;
  /** Null creates one. */
  apiKey: ApiKey | null;
}

export default function ApiKeyDialog({ apiKey, username, ...dialog }: ApiKeyDialogProps) {
  return apiKey ? <DeleteApiKey {...dialog} apiKey={apiKey} /> : <NewApiKey {...dialog} username={username} />;
}

function DeleteApiKey({ area, apiKey, ...dialog }: Openable & { area: Role; apiKey: ApiKey }) {
  const { query, remove } = apiKeyCalls(area);
  return (
    <Confirmation
      {...dialog}
      title="Delete API Key"
      text={
        <>
          Programs that use <strong className="font-medium wrap-anywhere text-text">{apiKey.name}</strong> are refused
          at once. This cannot be undone.
        </>
      }
      busyLabel="Deleting..."
      mutationFn={() => remove(apiKey.id)}
      done={({ message }) => message}
      failed="Failed to delete API key"
      // After a refusal too: it may have been deleted elsewhere.
      onSettled={() => refresh(query)}
      closesAfter={["NOT_FOUND"]}
    />
  );
}

/** Asks what the API key may do, and shows it, once. */
function NewApiKey({ area, username, ...dialog }: Openable & { area: Role; username: string }) {
  const { query, create } = apiKeyCalls(area);
  const [key, setKey] = useState<string | null>(null);
  const work = useWork({
    mutationFn: (form: ApiKeyPageForm) => create(apiKeyIn(form) as Parameters<typeof create>[0]),
    failed: "Failed to create API key",
    shownAtFields: ["WRONG_CREDENTIALS", "SECOND_FACTOR_NEEDED", "WRONG_SECOND_FACTOR", "INVALID"],
    onSettled: () => void refresh(query),
  });
  if (key !== null) {
    return (
      <ShownOnce
        {...dialog}
        title="Save the API Key"
        description="It won't be shown again. Keep it like a password."
        label="API key"
        text={key}
      />
    );
  }
  return (
    <FormDialog
      {...dialog}
      title="New API Key"
      description="For a shop, a bot or a server that acts for your account."
      work={work}
      submit="Create API Key"
      busyText="Creating..."
      form={{ schema: ApiKeyPageForm, rule: needsScope, fieldOf }}
      onSent={(made) => setKey(made.key)}
    >
      {(form) => <Fields form={form} area={area} username={username} />}
    </FormDialog>
  );
}

const fieldOf = {
  WRONG_CREDENTIALS: "password",
  SECOND_FACTOR_NEEDED: "code",
  WRONG_SECOND_FACTOR: "code",
  scopes: scopesField,
} as const;

function Fields({ form, area, username }: { form: Form<typeof ApiKeyPageForm>; area: Role; username: string }) {
  const { data: twoFactor } = useQuery(twoFactorQuery);
  const code = form.field("code");
  return (
    <>
      <TextField
        {...form.field("name")}
        label="Name"
        maxLength={nameCharactersMax}
        hint="Where you use it, such as Shop. The audit log shows it."
        data-autofocus
      />
      <BoxGroups
        form={form}
        groups={scopeGroups[area]}
        labelOf={(scope) => scopeText(scope, area)}
        first={scopesField}
      />
      {area === "reseller" && (
        <NumberField
          {...form.field("creditsPerDay")}
          label="Credits per Day (optional)"
          inputMode="decimal"
          hint="The most it can spend in a day, in UTC."
        />
      )}
      <TextField
        {...form.field("expiresAt")}
        type="date"
        label="Expires (optional)"
        hint="It works until the end of that day, UTC."
      />
      <TextField
        {...form.field("addresses")}
        label="Addresses (optional)"
        hint="Of the server that uses it, such as 203.0.113.7 or 2001:db8::/32. All others are refused."
        {...asTyped}
      />
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

const keyScopes: Scope[] = ["verify", "keys:read", "keys:order", "keys:manage"];

const scopeGroups: Record<Role, Record<string, Scope[]>> = {
  admin: {
    Keys: keyScopes,
    Resellers: ["credits:read", "resellers:read", "resellers:manage", "tokens:manage"],
    Panel: ["updates:manage", "stats:read", "audit:read"],
  },
  reseller: { Keys: keyScopes, Account: ["credits:read"] },
};

/** What a scope allows, in a few words. */
function scopeText(scope: Scope, area: Role): string {
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
