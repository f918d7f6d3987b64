/** Events of one reseller's keys and credits, to which that reseller's webhooks can subscribe (rules.md: Webhooks). */
export const resellerEventTypes = [
  "order.created",
  "sale.failed",
  "key.extended",
  "key.revoked",
  "key.replaced",
  "key.expiring",
  "key.refused",
  "device.connected",
  "device.released",
  "credits.granted",
  "credits.low",
] as const;

/** Admins' webhooks can subscribe to those of every reseller, and to more. */
export const adminEventTypes = [
  ...resellerEventTypes,
  "reseller.registered",
  "reseller.suspended",
  "backup.failed",
  "backup.late",
  "keys.imported",
  "intervention.done",
] as const;

export type WebhookEventType = (typeof adminEventTypes)[number];

/** Sent at the press of a button, and never subscribed to. */
export const testEventType = "webhook.test";

export interface WebhookEvent {
  type: WebhookEventType | typeof testEventType;
  data: WebhookEventData;
}

/** A receiver gets the fields that apply to the event. */
export interface WebhookEventData {
  orderId?: number;
  /** The program's name for the order, null if it has none. */
  externalId?: string | null;
  /** What a shop calls the sale; of an order, null if no shop sold it. */
  saleId?: string | null;
  /** Of the keys of an order. */
  game?: string;
  /** Null for an admin's keys, which are made without one. */
  durationId?: number | null;
  /** How long the keys last; in whole days if an admin gave an expiry date. */
  hours?: number;
  deviceLimit?: number;
  keyId?: number;
  /** The key that has the old text of a key that was replaced. */
  replacedKeyId?: number;
  /** The last characters of the key's text, at most five: receivers never get more of it. */
  key?: string;
  /** The reseller whose key or balance it is; left out for an admin's. */
  resellerId?: number;
  username?: string;
  /** The code of a refused verification or sale. */
  code?: string;
  deviceId?: string;
  deviceName?: string;
  by?: "player" | "reseller" | "admin" | "idle";
  /** In credits, as `balance`. */
  amount?: number;
  balance?: number;
  /** How many keys, of which `keyIds` has the first. */
  count?: number;
  keyIds?: number[];
  /** Why a backup failed, as a sentence, and the panel's address or name. */
  reason?: string;
  panel?: string;
}
