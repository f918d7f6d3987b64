/** Every action that the audit log keeps (rules.md: Audit entries), in the order of the rule. */
export const actions = [
  "signed_in",
  "sign_in_failed",
  "signed_out",
  "registered",
  "password_changed",
  "password_reset",
  "sessions_ended",
  "two_factor_enabled",
  "two_factor_disabled",
  "token_created",
  "token_revoked",
  "credit_granted",
  "grant_taken_back",
  "reseller_suspended",
  "reseller_reactivated",
  "reseller_erased",
  "keys_generated",
  "key_revoked",
  "note_changed",
  "device_removed",
  "devices_reset",
  "update_created",
  "update_changed",
  "update_deleted",
  "data_downloaded",
  "backup_made",
  "backup_restored",
  "admin_created",
  "admin_removed",
  "database_migrated",
  "clock_confirmed",
  "clock_repaired",
] as const;
export type Action = (typeof actions)[number];

/** The audit log's entry of one change. `target` names its object, such as `reseller night.owl` or `token 7`. */
export type Entry = { [Done in Action]: { action: Done; target: string; details: Details[Done] } }[Action];

/**
 * What a row says beside who, when, from where and of what. A secret is in none of it, and of a key's text no more than its end. The panel
 * says each of these in words.
 */
export interface Details {
  signed_in: Nothing;
  /** Of one account, address and minute. Wrong codes came with the right password, and so did a suspended reseller. */
  sign_in_failed: { count: number; wrongCodes: number; suspended: number };
  signed_out: Nothing;
  registered: OfReseller & { tokenId: number; credits: number };
  /** `sessions`, here and below: how many ended with it. */
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
   * `owner` is a reseller's username, left out for an admin key. `count` is how many keys of the order or the owner that is
   * the target; those of an owner may be of several games.
   */
  key_revoked: Partial<OfReseller> & { game?: string; owner?: string; count?: number };
  /** Of a key, an order, or `count` keys. What it says is not kept: a note may name people, and can be taken back. */
  note_changed: Partial<OfReseller> & { count?: number };
  device_removed: { deviceId: string };
  /** Of how many keys. */
  devices_reset: { keys: number };
  update_created: { title: string; isActive: boolean };
  update_changed: { title: string; isActive: boolean };
  update_deleted: { title: string };
  /** The filters that the rows had to fit, where there were any; of keys, how many they were. */
  data_downloaded: {
    count?: number;
    search?: string;
    action?: string;
    reason?: string;
    actor?: string;
    from?: string;
    to?: string;
  };
  backup_made: { file: string };
  backup_restored: { file: string };
  admin_created: Nothing;
  admin_removed: { sessions: number };
  /** Written by a trigger (`migrations/0003_audit.sql`), in the transaction that migrates. */
  database_migrated: { migration: string };
  /** At the command line: the clock is right, although it was ahead of all rows. */
  clock_confirmed: Nothing;
  /** How many times in the future were moved back to now. */
  clock_repaired: { times: number };
}

type Nothing = Record<never, never>;

/** By whose id the panel leads to the reseller. */
interface OfReseller {
  resellerId: number;
}
