import { useState } from "react";
import { ApiKeyPageForm, apiKeyIn, needsScope, scopesField } from "../../../src/accounts/api-keys/api-key-form.ts";
import type { ApiKey } from "../../../src/accounts/api-keys/api-key-schema.ts";
import { nameCharactersMax } from "../../../src/accounts/api-keys/limits.ts";
import type { Role } from "../../../src/accounts/schema.ts";
import { apiKeyCalls } from "../../api/calls/account.ts";
import { refresh, useWork } from "../../api/query.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { OwnProof, proofFields, ScopeFields, scopeGroups } from "../../forms/scope-fields.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { ShownOnce } from "../../ui/dialog/shown-once.tsx";
import { asTyped, TextField } from "../../ui/field/field.tsx";

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
    shownAtFields: [...Object.keys(proofFields), "INVALID"],
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
      form={{ schema: ApiKeyPageForm, rule: needsScope, fieldOf: { ...proofFields, scopes: scopesField } }}
      onSent={(made) => setKey(made.key)}
    >
      {(form) => (
        <>
          <TextField
            {...form.field("name")}
            label="Name"
            maxLength={nameCharactersMax}
            hint="Where you use it, such as Shop. The audit log shows it."
            data-autofocus
          />
          <ScopeFields form={form} area={area} groups={scopeGroups[area]} />
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
          <OwnProof form={form} username={username} />
        </>
      )}
    </FormDialog>
  );
}
