import { Fragment, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { adminEventTypes, resellerEventTypes } from "../../../src/facts/webhook-events.ts";
import { urlCharactersMax } from "../../../src/webhooks/limits.ts";
import { type Webhook, webhookKinds } from "../../../src/webhooks/schema.ts";
import { eventsField, formOf, missingIn, WebhookPageForm, webhookIn } from "../../../src/webhooks/webhook-form.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { refresh, useWork } from "../../api/query.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Form } from "../../forms/use-form.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { ShownOnce } from "../../ui/dialog/shown-once.tsx";
import { asTyped, NativeSelectField, NumberField, SwitchField, TextField } from "../../ui/field/field.tsx";
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
        description="It won't be shown again. Your server checks with it that an event comes from here."
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
      <fieldset onInput={() => form.follow(eventsField)}>
        <legend className="mb-1.5 font-medium">When</legend>
        <div className="grid gap-2">
          {(area === "admin" ? adminEventTypes : resellerEventTypes).map((type) => (
            <Fragment key={type}>
              <SwitchField {...form.field(type)} label={eventNames[type]} hint={type} />
              {type === "credits.low" && form.values[type] && (
                <NumberField
                  {...form.field("creditsBelow")}
                  label="Credits Below"
                  inputMode="decimal"
                  hint={`Sent each time ${area === "admin" ? "a reseller's" : "your"} balance falls below this.`}
                />
              )}
            </Fragment>
          ))}
        </div>
      </fieldset>
    </>
  );
}

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
          hint="Its number, or the name of a channel such as @latchkey_sales. The bot must be in it."
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
          : "It receives signed events as Standard Webhooks 1.0."
      }
      {...asTyped}
    />
  );
}
