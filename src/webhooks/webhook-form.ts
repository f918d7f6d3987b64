import { type Static, Type } from "@sinclair/typebox";
import type { FieldProblem } from "../core/refusal.ts";
import { adminEventTypes, type WebhookEventType } from "../facts/webhook-events.ts";
import { AdminWebhookForm, type Webhook } from "./schema.ts";

const isChosen = Type.Optional(Type.Boolean());
const text = Type.Optional(Type.String());

/** The form on the page, which has a checkbox for each event. The server checks the texts. */
export const WebhookPageForm = Type.Object({
  kind: AdminWebhookForm.properties.kind,
  url: text,
  botToken: text,
  chatId: text,
  ...(Object.fromEntries(adminEventTypes.map((type) => [type, isChosen])) as Record<WebhookEventType, typeof isChosen>),
  creditsBelow: AdminWebhookForm.properties.creditsBelow,
});
export type WebhookPageForm = Static<typeof WebhookPageForm>;

/** The first event's field, where the message about all of them appears. */
export const eventsField = adminEventTypes[0];

/** What is missing. The bot token of an existing webhook stays where none is typed. */
export function missingIn(form: Partial<WebhookPageForm>, isNew: boolean): FieldProblem[] {
  const isTelegram = form.kind === "telegram";
  const problems: [isMissing: boolean, path: keyof WebhookPageForm, message: string][] = [
    [!isTelegram && !form.url, "url", "Address is required"],
    [isTelegram && isNew && !form.botToken, "botToken", "Bot token is required"],
    [isTelegram && !form.chatId, "chatId", "Chat is required"],
    [eventsIn(form).length === 0, eventsField, "Choose at least one of these"],
    [form["credits.low"] === true && form.creditsBelow == null, "creditsBelow", "Credits are required"],
  ];
  return problems.filter(([isMissing]) => isMissing).map(([, path, message]) => ({ path, message }));
}

/** What is sent for the form. */
export function webhookIn(form: WebhookPageForm) {
  const { kind, url, botToken, chatId, creditsBelow } = form;
  return {
    ...(kind === "telegram" ? { kind, chatId, botToken: botToken || undefined } : { kind, url }),
    events: eventsIn(form),
    creditsBelow: form["credits.low"] ? creditsBelow : null,
  };
}

/** The form of a webhook. */
export function formOf({ kind, url, chatId, events, creditsBelow }: Webhook): Partial<WebhookPageForm> {
  return {
    kind,
    url: url ?? undefined,
    chatId: chatId ?? undefined,
    creditsBelow: creditsBelow ?? undefined,
    ...Object.fromEntries(events.map((type) => [type, true])),
  };
}

function eventsIn(form: Partial<WebhookPageForm>): WebhookEventType[] {
  return adminEventTypes.filter((type) => form[type]);
}
