/** Every action that the audit log keeps (rules.md: Audit entries), in the order of that section. */
export const actions = [
  ...(["signed_in", "sign_in_failed", "signed_out", "registered", "password_changed", "password_reset"] as const),
  ...(["sessions_ended", "two_factor_enabled", "two_factor_disabled", "token_created", "token_revoked"] as const),
  ...(["credit_granted", "grant_taken_back", "reseller_suspended", "reseller_reactivated", "reseller_erased"] as const),
  ...(["keys_generated", "key_revoked", "key_extended", "keys_extended", "device_limit_changed"] as const),
  ...(["key_paused", "key_resumed", "key_replaced", "intervention_started", "intervention_undone"] as const),
  ...(["keys_imported", "import_undone", "note_changed", "device_removed", "devices_reset"] as const),
  ...(["device_blocked", "device_unblocked", "api_key_created"] as const),
  ...(["api_key_deleted", "staff_created", "staff_changed", "staff_password_reset", "staff_removed"] as const),
  ...(["webhook_created", "webhook_changed", "webhook_deleted", "webhook_switched_off", "shop_link_created"] as const),
  ...(["shop_link_changed", "shop_link_deleted", "update_created", "update_changed", "update_deleted"] as const),
  ...(["data_downloaded", "keys_exported", "game_created", "game_changed", "duration_created"] as const),
  ...(["duration_changed", "price_list_created", "price_list_changed", "price_list_assigned", "backup_made"] as const),
  ...(["backup_restored", "admin_created", "admin_removed", "database_migrated", "clock_confirmed"] as const),
  ...(["clock_repaired", "signing_key_added", "signing_key_promoted", "signing_key_retired", "secret_lost"] as const),
] as const;
export type Action = (typeof actions)[number];

/** The audit log's entry of one change. `target` names its object, such as `reseller night.owl` or `token 7`. */
export type Entry = { [Done in Action]: { action: Done; target: string; details: Details[Done] } }[Action];

/** The details of an entry. They contain no secrets, and only the end of a key's text. The panel words each of them. */
export interface Details {
  signed_in: Nothing;
  /** Counts for one account, address and minute. Wrong codes and suspended sign-ins had the right password. */
  sign_in_failed: { count: number; wrongCodes: number; suspended: number };
  signed_out: Nothing;
  registered: OfReseller & { tokenId: number; credits: number };
  /** `sessions`, here and below, is how many sessions it ended. */
  password_changed: { sessions: number };
  password_reset: Partial<OfReseller> & { sessions: number };
  sessions_ended: Partial<OfReseller> & { sessions: number };
  two_factor_enabled: Nothing;
  two_factor_disabled: Nothing;
  token_created: { credits: number };
  token_revoked: { credits: number };
  credit_granted: OfReseller & { amount: number; balance: number };
  grant_taken_back: OfReseller & { amount: number; balance: number };
  reseller_suspended: OfReseller & { sessions: number; reason?: string };
  reseller_reactivated: OfReseller;
  reseller_erased: OfReseller;
  /** `days` are whole days between making and expiry, rounded down; `cost` is in credits, and 0 for admins. */
  keys_generated: { count: number; game: string; days: number; deviceLimit: number; cost: number };
  /**
   * `owner` is a reseller's username, left out for an admin key. `count` is the number of keys of the target,
   * which is an order or an owner; an owner's keys may be for several games. `refund` is in credits, and not recorded
   * for a selection, whose keys are revoked in several transactions.
   */
  key_revoked: Partial<OfReseller> & { game?: string; owner?: string; count?: number; refund?: number };
  /** `cost`, here and below, is in credits, and 0 for admins. */
  key_extended: { hours: number; cost: number; owner?: string };
  keys_extended: Partial<OfReseller> & { count: number; hours: number; cost: number };
  device_limit_changed: { from: number; to: number; cost: number; owner?: string };
  key_paused: OfKey;
  key_resumed: OfKey;
  /** The target has the end of the old text, `end` is that of the new one. */
  key_replaced: { end: string; owner?: string };
  intervention_started: OfIntervention & { count: number; since?: string; reason: string };
  intervention_undone: OfIntervention;
  /** The lines of the file. The report says what became of each. */
  keys_imported: { lines: number };
  /** The keys that were deleted. */
  import_undone: { keys: number };
  /**
   * Of a key, an order, or `count` keys. The text is not recorded, because a note may name people and can be removed.
   */
  note_changed: Partial<OfReseller> & { count?: number };
  /** One, or with `count` all that the key had. */
  device_removed: { deviceId?: string; count?: number };
  /** The number of keys. */
  devices_reset: { keys: number };
  device_blocked: { deviceId: string; reason: string };
  device_unblocked: { deviceId: string; reason: string };
  /** By a person; `scopes` are separated by spaces, and `creditsPerDay` is left out where there is no limit. */
  api_key_created: { name: string; scopes: string; creditsPerDay?: number };
  /** `owner` is the username of the account, if the operator deleted it. */
  api_key_deleted: { name: string; owner?: string };
  /** The new values of `rights`, which are separated by spaces, `creditsPerDay` and `isActive`. */
  staff_created: ChangedFields;
  staff_changed: ChangedFields;
  staff_password_reset: { sessions: number };
  staff_removed: { sessions: number };
  webhook_created: OfWebhook;
  /** As it is afterwards. `isRotated` if it got a new secret; `owner` if the server followed a chat of Telegram. */
  webhook_changed: OfWebhook & { isRotated?: boolean; owner?: string };
  webhook_deleted: OfWebhook;
  /** By the server. `owner` is the username of the account. */
  webhook_switched_off: OfWebhook & { owner: string; reason: string };
  /** All its values; `saleId` has its paths, separated by spaces. */
  shop_link_created: ChangedFields;
  /** The new values of the fields that changed; `hasNewSecret` if it got a new secret. */
  shop_link_changed: ChangedFields;
  shop_link_deleted: Nothing;
  update_created: { title: string; isActive: boolean };
  update_changed: { title: string; isActive: boolean };
  update_deleted: { title: string };
  /** The filters, if there were any, and for keys their number. */
  data_downloaded: {
    count?: number;
    search?: string;
    action?: string;
    reason?: string;
    actor?: string;
    from?: string;
    to?: string;
  };
  /** The target is all keys, or those of an owner. */
  keys_exported: { game?: string };
  game_created: ChangedFields;
  /** The new values of the fields that changed; of the prices, how many. */
  game_changed: ChangedFields;
  duration_created: ChangedFields;
  duration_changed: ChangedFields;
  price_list_created: ChangedFields;
  price_list_changed: ChangedFields;
  price_list_assigned: OfReseller & { priceList: string };
  /** `notInS3` where S3 is configured and could not take it. */
  backup_made: { file: string; notInS3?: true };
  backup_restored: { file: string };
  admin_created: Nothing;
  admin_removed: { sessions: number };
  /** Written by a trigger (`migrations/0003_audit.sql`), in the transaction that migrates. */
  database_migrated: { migration: string };
  /** By `latchkey clock confirm`: the clock is right, although it was ahead of all rows. */
  clock_confirmed: Nothing;
  /** The number of times in the future that were moved back to now. */
  clock_repaired: { times: number };
  /** By `latchkey keys`. The target has the `kid`. */
  signing_key_added: Nothing;
  signing_key_promoted: Nothing;
  signing_key_retired: Nothing;
  /** By `latchkey secret lost`: how many secrets no SECRET opened. */
  secret_lost: { signingKeys: number; webhooks: number; shopLinks: number; twoFactor: number };
}

/** `""` is none. */
export type ChangedFields = Record<string, string | number | boolean>;

/** The fields that differ, with their new values; null if none does. */
export function changedIn(before: ChangedFields, after: ChangedFields): ChangedFields | null {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  return names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, after[name] ?? ""]));
}

type Nothing = Record<never, never>;

/** `owner` is left out for an admin key. */
interface OfKey {
  game: string;
  owner?: string;
}

/** `host` of its address, which may contain a secret itself; `chatId` for Telegram. `events` are separated by spaces. */
interface OfWebhook {
  kind: string;
  host?: string;
  chatId?: string;
  events: string;
  isActive: boolean;
}

/** Of all keys if no game, owner or order is named. */
interface OfIntervention extends Partial<OfReseller> {
  kind: "compensate" | "pause" | "resume";
  hours?: number;
  game?: string;
  owner?: string;
  orderId?: number;
  resellerNote?: string;
}

/** The panel links to the reseller by this id. */
interface OfReseller {
  resellerId: number;
}
