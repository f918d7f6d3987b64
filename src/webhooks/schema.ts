import { type Static, Type } from "@sinclair/typebox";
import { balanceTenthsMax, Credits, creditsExample, creditsOf } from "../core/credits.ts";
import { numberOrNull, oneOf, orNull, textOrNull } from "../core/field.ts";
import { adminEventTypes, resellerEventTypes, testEventType, type WebhookEventType } from "../facts/webhook-events.ts";
import { Id, Instant, InstantOrNull, pagingFields } from "../http/schema.ts";
import { deliveriesDefault, urlCharactersMax } from "./limits.ts";

export const webhookKinds = ["standard", "discord", "telegram"] as const;

const exampleEvents: WebhookEventType[] = ["order.created", "key.expiring"];
const exampleUrl = "https://shop.example.com/latchkey";

/** Typed as if all could be in it. */
function eventsField(types: readonly WebhookEventType[]) {
  const sentence = `events must be one or more of ${types.join(", ")}`;
  return Type.Array(oneOf(types, { says: { wrong: sentence } }), {
    minItems: 1,
    uniqueItems: true,
    examples: [exampleEvents],
    says: { required: sentence, tooSmall: sentence, wrong: sentence },
  });
}

const kindSentence = `kind must be ${webhookKinds.join(", ")}`.replace(/, (\w+)$/, " or $1");
export const urlSentence = "The address must be an https address without a password";
export const privateUrlSentence = "The address must not be in a private network";
const chatIdSentence = "The chat must be a number or a name such as @latchkey_sales";
const tokenSentence = "The bot token must be like 123456:ABC-DEF1234";

const fields = {
  kind: oneOf(webhookKinds, { examples: ["standard"], says: { required: kindSentence, wrong: kindSentence } }),
  url: Type.Optional(
    Type.String({
      maxLength: urlCharactersMax,
      examples: [exampleUrl],
      description: "An https address; not for Telegram",
      says: { wrong: urlSentence },
    }),
  ),
  botToken: Type.Optional(
    Type.String({
      pattern: "^[0-9]{1,20}:[A-Za-z0-9_-]{1,100}$",
      examples: ["123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11"],
      description: "Only for Telegram; never shown",
      says: { required: tokenSentence, wrong: tokenSentence },
    }),
  ),
  chatId: Type.Optional(
    Type.Union([Type.Integer(), Type.String({ pattern: "^(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,32})$" })], {
      examples: ["-1001234567890"],
      description: "Only for Telegram",
      says: { required: chatIdSentence, wrong: chatIdSentence },
    }),
  ),
  isActive: Type.Optional(Type.Boolean({ examples: [true], says: { wrong: "isActive must be true or false" } })),
  creditsBelow: Type.Optional(
    Type.Union([Type.Null(), Type.Number({ minimum: 0.1, maximum: creditsOf(balanceTenthsMax) })], {
      examples: [20],
      description: "The balance of `credits.low`",
      says: { wrong: `Credits must be at least 0.1, ${creditsExample}` },
    }),
  ),
};

export const AdminWebhookForm = Type.Object({ ...fields, events: eventsField(adminEventTypes) });
export const ResellerWebhookForm = Type.Object({ ...fields, events: eventsField(resellerEventTypes) });
export type WebhookForm = Static<typeof AdminWebhookForm>;

/** What is left out stays as it is. */
export const AdminWebhookChange = Type.Partial(AdminWebhookForm);
export const ResellerWebhookChange = Type.Partial(ResellerWebhookForm);
export type WebhookChange = Static<typeof AdminWebhookChange>;

export const switchOffReasons = ["GONE", "FAILED", "BACKLOG", "SECRET_LOST"] as const;
export type SwitchOffReason = (typeof switchOffReasons)[number];

export const SwitchedOff = orNull(
  Type.Object({ at: Instant, reason: oneOf(switchOffReasons) }),
  "When and why the server switched it off, until it is switched on again",
);

export const Webhook = Type.Object({
  id: Type.Integer({ examples: [4] }),
  kind: oneOf(webhookKinds, { examples: ["standard"] }),
  url: textOrNull(exampleUrl, "Null for Telegram"),
  chatId: textOrNull("-1001234567890", "Null except for Telegram"),
  events: Type.Array(oneOf(adminEventTypes), { examples: [exampleEvents] }),
  isActive: Type.Boolean(),
  creditsBelow: orNull(Credits),
  switchedOff: SwitchedOff,
  createdAt: Instant,
});
export type Webhook = Static<typeof Webhook>;

const Secret = Type.String({
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
  description: "Signs each event. Shown only this once",
});

export const NewWebhook = Type.Object({
  ...Webhook.properties,
  secret: orNull(Secret, "Null for Discord and Telegram"),
});
export type NewWebhook = Static<typeof NewWebhook>;

export const RotatedSecret = Type.Object({ secret: Secret });

export const DeliveryTry = Type.Object({
  at: Instant,
  status: numberOrNull(200, "Null if there was no response; `answer` says why"),
  ms: Type.Integer({ examples: [120] }),
  answer: Type.String({ description: "The beginning of the response; empty after a 2xx" }),
});

export const Delivery = Type.Object({
  id: Type.String({
    examples: ["5f6c1c1e-3c1b-4f0e-9d53-6f1f5c0d8a77"],
    description: "The receiver gets it as `webhook-id`, the same at each attempt",
  }),
  webhookId: Type.Integer({ examples: [4] }),
  type: oneOf([...adminEventTypes, testEventType], { examples: ["order.created"] }),
  at: Instant,
  nextAt: InstantOrNull,
  tries: Type.Array(DeliveryTry),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryListQuery = Type.Object({
  ...pagingFields,
  limit: Type.Optional({
    ...pagingFields.limit,
    description: `Rows per page, 1 to 200; by default ${deliveriesDefault}`,
  }),
});
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

export const DeliveryParams = Type.Object({
  id: Id,
  deliveryId: Type.String({ maxLength: 64, examples: ["5f6c1c1e-3c1b-4f0e-9d53-6f1f5c0d8a77"] }),
});
