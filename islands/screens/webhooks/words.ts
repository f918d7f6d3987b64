import type { testEventType, WebhookEventType } from "../../../src/facts/webhook-events.ts";
import type { SwitchOffReason, Webhook } from "../../../src/webhooks/schema.ts";

/** What happened, in a few words. */
export const eventNames: Record<WebhookEventType | typeof testEventType, string> = {
  "order.created": "Keys generated",
  "sale.failed": "A shop's sale failed",
  "key.extended": "Keys extended",
  "key.revoked": "Keys revoked",
  "key.replaced": "A key replaced",
  "key.expiring": "A key expires within 72 hours",
  "key.refused": "A key refused",
  "device.connected": "A device connected",
  "device.released": "A device removed",
  "credits.granted": "Credits granted",
  "credits.low": "Credits run low",
  "reseller.registered": "A reseller registered",
  "reseller.suspended": "A reseller suspended",
  "backup.failed": "A backup failed",
  "backup.late": "The last backup is too old",
  "keys.imported": "Keys imported",
  "intervention.done": "An intervention finished",
  "webhook.test": "Test",
};

export const kindNames: Record<Webhook["kind"], string> = {
  standard: "Server",
  discord: "Discord",
  telegram: "Telegram",
};

/** Why the server switched a webhook off. */
export const switchOffReasons: Record<SwitchOffReason, string> = {
  GONE: "its server returned 410 Gone",
  FAILED: "all ten attempts to deliver an event failed",
  BACKLOG: "more than 10,000 events were waiting for it",
  SECRET_LOST: "its secret was lost with the server's SECRET",
};

/** Where its events go: an address or a chat. */
export function placeOf({ url, chatId }: Webhook): string {
  return url ?? `chat ${chatId}`;
}
