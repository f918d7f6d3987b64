import { useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { WebhookEventType } from "../../../src/facts/webhook-events.ts";
import { urlCharactersMax } from "../../../src/webhooks/limits.ts";
import { type Webhook, webhookKinds } from "../../../src/webhooks/schema.ts";
import { eventsField, formOf, missingIn, WebhookPageForm, webhookIn } from "../../../src/webhooks/webhook-form.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { refresh, useWork } from "../../api/query.ts";
import { BoxGroups } from "../../forms/box-groups.tsx";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Form } from "../../forms/use-form.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { ShownOnce } from "../../ui/dialog/shown-once.tsx";
import { asTyped, NativeSelectField, NumberField, TextField } from "../../ui/field/field.tsx";
import { PasswordField } from "../../ui/field/password-field.tsx";
import { eventNames, kindNames } from "./words.ts";

interface EditorProps extends Openable {
  area: Role;
  /** Null creates one. */
  webhook: Webhook | null;
}

/** Asks where events go and which. Shows the secret of a new webhook, once. */
export function Editor({ area, webhook, ...dialog }: EditorProps) {
  const { query, create, change } = webhookCalls(area);
  const [secret, setSecret] = useState<string | null>(null);
  const work = useWork({
    mutationFn: async (form: WebhookPageForm) => {
      if (webhook === null) return (await create(webhookIn(form))).secret;
      await change(webhook.id, webhookIn(form));
      return null;
    },
    done: webhook ? "Webhook saved" : "Webhook created",
    failed: "Failed to save the webhook",
    shownAtFields: ["INVALID"],
    onSettled: () => void refresh(query),
  });
  if (secret !== null) {
    return (
      <ShownOnce
        {...dialog}
        title="Save the Secret"
        description="It won't be shown again. Your server uses it to check that events come from here."
        label="Secret"
        text={secret}
      />
    );
  }
  return (
    <FormDialog
      {...dialog}
      title={webhook ? "Edit Webhook" : "New Webhook"}
      work={work}
      submit={webhook ? "Save Changes" : "Create Webhook"}
      busyText={webhook ? "Saving..." : "Creating..."}
      form={{
        schema: WebhookPageForm,
        rule: (values) => missingIn(values, webhook === null),
        initial: webhook ? formOf(webhook) : { kind: "standard" },
        fieldOf: { events: eventsField },
      }}
      onSent={(made) => (made === null ? dialog.onOpenChange(false) : setSecret(made))}
    >
      {(form) => <Fields form={form} area={area} webhook={webhook} />}
    </FormDialog>
  );
}

type Filled = { form: Form<typeof WebhookPageForm> };

const kindChoices = webhookKinds.map((value) => ({ value, label: kindNames[value] }));

function Fields({ form, area, webhook }: Filled & Pick<EditorProps, "area" | "webhook">) {
  return (
    <>
      {webhook ? (
        <input type="hidden" name="kind" value={webhook.kind} />
      ) : (
        <NativeSelectField {...form.field("kind")} label="Send To" choices={kindChoices} data-autofocus />
      )}
      <PlaceFields form={form} isNew={webhook === null} />
      <BoxGroups
        form={form}
        groups={area === "admin" ? adminGroups : resellerGroups}
        labelOf={(type) => eventNames[type]}
        first={eventsField}
      />
      {form.values["credits.low"] && (
        <NumberField
          {...form.field("creditsBelow")}
          label="Credits Below"
          inputMode="decimal"
          hint={`Sent each time ${area === "admin" ? "a reseller's" : "your"} balance falls below this.`}
        />
      )}
    </>
  );
}

const resellerGroups: Record<string, WebhookEventType[]> = {
  Keys: ["order.created", "sale.failed", "key.extended", "key.revoked", "key.replaced", "key.expiring", "key.refused"],
  Devices: ["device.connected", "device.released"],
  Credits: ["credits.granted", "credits.low"],
};

const adminGroups: typeof resellerGroups = {
  ...resellerGroups,
  Resellers: ["reseller.registered", "reseller.suspended"],
  Server: ["backup.failed", "backup.late", "keys.imported", "intervention.done"],
};

function PlaceFields({ form, isNew }: Filled & { isNew: boolean }) {
  if (form.values.kind === "telegram") {
    return (
      <>
        <PasswordField
          {...form.field("botToken")}
          label="Bot Token"
          autoComplete="off"
          hint={isNew ? "From @BotFather in Telegram." : "Leave it empty to keep the one you have."}
        />
        <TextField
          {...form.field("chatId")}
          label="Chat"
          placeholder="-1001234567890"
          hint="Its ID, or the name of a channel such as @latchkey_sales. The bot must be a member."
          {...asTyped}
        />
      </>
    );
  }
  return (
    <TextField
      {...form.field("url")}
      label="Address"
      placeholder="https://"
      inputMode="url"
      maxLength={urlCharactersMax}
      hint={
        form.values.kind === "discord"
          ? "In Discord: Edit Channel, Integrations, Webhooks, Copy Webhook URL."
          : "It receives events signed as in Standard Webhooks 1.0."
      }
      {...asTyped}
    />
  );
}
