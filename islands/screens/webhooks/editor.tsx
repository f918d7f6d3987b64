import { Fragment, useId, useState } from "react";
import type { Role } from "../../../src/accounts/schema.ts";
import { adminEventTypes, resellerEventTypes } from "../../../src/facts/webhook-events.ts";
import { urlCharactersMax } from "../../../src/webhooks/limits.ts";
import { type Webhook, webhookKinds } from "../../../src/webhooks/schema.ts";
import { eventsField, formOf, missingIn, WebhookPageForm, webhookIn } from "../../../src/webhooks/webhook-form.ts";
import { hasCode } from "../../api/api.ts";
import { webhookCalls } from "../../api/calls/webhooks.ts";
import { refresh, showFailure, useWork } from "../../api/query.ts";
import { type DialogForm, FormButtons } from "../../forms/form-dialog.tsx";
import { type Form, useForm } from "../../forms/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
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
export default function Editor({ area, webhook, ...dialog }: EditorProps) {
  const formId = useId();
  const { query, create, change } = webhookCalls(area);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => dialog.onOpenChange(false);
  const { mutateAsync, isPending } = useWork({
    mutationFn: async (form: WebhookPageForm) => {
      if (webhook === null) return (await create(webhookIn(form))).secret;
      await change(webhook.id, webhookIn(form));
      return null;
    },
    done: webhook ? "Webhook saved" : "Webhook created",
    onSuccess: (made) => (made === null ? close() : setSecret(made)),
    onError: (error) => {
      if (!hasCode(error, "INVALID")) showFailure(error, "Failed to save the webhook");
    },
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
    <Dialog
      {...dialog}
      title={webhook ? "Edit Webhook" : "New Webhook"}
      busy={isPending}
      footer={
        <FormButtons
          formId={formId}
          busy={isPending}
          submit={webhook ? "Save Changes" : "Create Webhook"}
          busyText={webhook ? "Saving..." : "Creating..."}
          onCancel={close}
        />
      }
    >
      <Fields id={formId} area={area} webhook={webhook} send={mutateAsync} />
    </Dialog>
  );
}

const kindChoices = webhookKinds.map((value) => ({ value, label: kindNames[value] }));

function Fields({ id, area, webhook, send }: DialogForm<WebhookPageForm> & Pick<EditorProps, "area" | "webhook">) {
  const form = useForm({
    schema: WebhookPageForm,
    rule: (values) => missingIn(values, webhook === null),
    initial: webhook ? formOf(webhook) : { kind: "standard" },
    send,
    fieldOf: { events: eventsField },
  });
  return (
    <form {...form.props} id={id} className="grid gap-4">
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
    </form>
  );
}

function PlaceFields({ form, isNew }: { form: Form<typeof WebhookPageForm>; isNew: boolean }) {
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
          autoComplete="off"
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
      autoComplete="off"
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
