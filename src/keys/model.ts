import { dateOf, isoOf, isoOrNull, msPerDay, msPerHour } from "../core/clock.ts";
import { untilStarted } from "../core/key-time.ts";
import { part, type SqlPart } from "../db/contract.ts";
import type { DeviceRow } from "./devices/device-store.ts";
import type { AdminKey, Device, KeyStart, KeyStatus, ResellerKey } from "./schema.ts";

export interface KeyRow {
  id: number;
  keyString: string;
  game: string;
  deviceLimit: number;
  deviceCount: number;
  createdAt: number;
  /** `untilStarted` for a key that has not started. */
  expiresAt: number;
  isFirstUse: number;
  /** Null until it starts. */
  startedAt: number | null;
  /** Null for an admin's expiry date. */
  durationHours: number | null;
  pausedAt: number | null;
  revokedAt: number | null;
  /** The key that has a new text instead of this one; null unless it was replaced. */
  replacedBy: number | null;
  orderId: number | null;
  note: string | null;
}

/**
 * A key's status at an instant (rules.md: Key status). It is derived and never stored. Revoking wins over pausing, and
 * pausing over expiring. A key has expired from the instant of its expiry on. The rule is written once for rows, and
 * once in SQL for filters and counts.
 */
export function statusOf(key: Pick<KeyRow, "revokedAt" | "pausedAt" | "expiresAt">, at: number): KeyStatus {
  if (key.revokedAt !== null) return "REVOKED";
  if (key.pausedAt !== null) return "PAUSED";
  return key.expiresAt <= at ? "EXPIRED" : "ACTIVE";
}

/** The same rule as a condition on `license_keys AS k`. */
export function hasStatus(status: KeyStatus, at: number): SqlPart {
  if (status === "REVOKED") return part`k.revoked_at IS NOT NULL`;
  if (status === "PAUSED") return part`k.revoked_at IS NULL AND k.paused_at IS NOT NULL`;
  const running = part`k.revoked_at IS NULL AND k.paused_at IS NULL`;
  return status === "EXPIRED" ? part`${running} AND k.expires_at <= ${at}` : part`${running} AND k.expires_at > ${at}`;
}

/** ACTIVE or PAUSED: its time is not over. */
export function isOpen(at: number): SqlPart {
  return part`k.revoked_at IS NULL AND (k.paused_at IS NOT NULL OR k.expires_at > ${at})`;
}

/**
 * The status at an instant in the past: keys that were revoked or paused since were not then. A key that was resumed
 * since counts as not paused.
 */
export function hadStatus(status: KeyStatus, at: number): SqlPart {
  if (status === "REVOKED") return part`k.revoked_at <= ${at}`;
  const kept = part`(k.revoked_at IS NULL OR k.revoked_at > ${at})`;
  if (status === "PAUSED") return part`${kept} AND k.paused_at <= ${at}`;
  const running = part`${kept} AND (k.paused_at IS NULL OR k.paused_at > ${at})`;
  return status === "EXPIRED" ? part`${running} AND k.expires_at <= ${at}` : part`${running} AND k.expires_at > ${at}`;
}

/** `isOpen` at an instant in the past. */
export function wasOpen(at: number): SqlPart {
  return part`((${hadStatus("ACTIVE", at)}) OR (${hadStatus("PAUSED", at)}))`;
}

/** A key as admins see it, at an instant. */
/** How a role sees a key. */
export type KeyView<View> = (key: KeyRow, at: number) => View;

export function adminKeyView(key: KeyRow, at: number): AdminKey {
  return {
    ...commonView(key, at),
    deviceCount: key.deviceCount,
    isRevoked: key.revokedAt !== null,
    daysRemaining: Math.ceil(remainingMs(key, at) / msPerDay),
  };
}

/** How long a key would last if it ran from now on. */
export function remainingMs({ durationHours, pausedAt, expiresAt }: KeyRow, at: number): number {
  if (expiresAt === untilStarted) return (durationHours ?? 0) * msPerHour;
  return Math.max(0, expiresAt - (pausedAt ?? at));
}

/** A key as its reseller sees it in a list, where `devices` is the count in use. */
export function resellerKeyView(key: KeyRow, at: number): ResellerKey {
  return { ...commonView(key, at), devices: key.deviceCount };
}

function commonView(key: KeyRow, at: number) {
  return {
    id: key.id,
    keyString: key.keyString,
    game: key.game,
    status: statusOf(key, at),
    createdAt: isoOf(key.createdAt),
    expiryDate: key.expiresAt === untilStarted ? null : isoOf(key.expiresAt),
    starts: startOf(key),
    durationHours: key.durationHours,
    startedAt: isoOrNull(key.startedAt),
    pausedAt: isoOrNull(key.pausedAt),
    deviceLimit: key.deviceLimit,
    orderId: key.orderId,
    replacedBy: key.replacedBy,
    note: key.note,
  };
}

/** Of a key or an order. */
export function startOf({ isFirstUse }: { isFirstUse: number }): KeyStart {
  return isFirstUse === 1 ? "first_use" : "creation";
}

export function deviceView(device: DeviceRow): Device {
  const { id, deviceId, name, firstConnectedAt, lastSeenDay } = device;
  return { id, deviceId, name, firstConnected: isoOf(firstConnectedAt), lastSeen: dateOf(lastSeenDay) };
}

/* How searches compare key texts (rules.md: Searching keys). The database has both forms of each text. */

const lookAlikes: Record<string, string> = { o: "0", i: "1", l: "1", s: "5", b: "8" };

/** For texts that were copied from a picture: letters that look like digits become those digits. */
export function lookAlikeText(folded: string): string {
  return folded.replace(/[oilsb]/g, (letter) => lookAlikes[letter] as string);
}

/** The key in the examples of /swagger, as each role sees it. */
const common = {
  id: 7,
  keyString: "PBGM-A1B2C-D3E4F-G5H6I",
  game: "PUBG MOBILE",
  status: "ACTIVE",
  createdAt: "2025-03-05T14:30:00.000Z",
  expiryDate: "2025-04-04T14:30:00.000Z",
  starts: "creation",
  durationHours: 720,
  startedAt: "2025-03-05T14:30:00.000Z",
  pausedAt: null,
  deviceLimit: 2,
  orderId: 12,
  replacedBy: null,
  note: "For the summer tournament",
};
const device = { id: 3, deviceId: "a3f1c9d2-phone", firstConnected: "2025-03-06T08:00:00.000Z" };

export const exampleResellerKey = { ...common, devices: 1 };
const noRefund = { refund: 0, isRefundHeld: false, noRefund: "DEVICE_CONNECTED", refundDays: 7 };
const notPaused = { pausedBy: null, pauseNote: null };
export const exampleResellerKeyDetail = { ...common, deviceCount: 1, devices: [device], ...notPaused, ...noRefund };
export const exampleAdminKey = { ...common, deviceCount: 1, isRevoked: false, daysRemaining: 30 };
export const exampleAdminKeyDetail = {
  ...exampleAdminKey,
  createdBy: "night.owl",
  ownerId: 2,
  owner: "night.owl",
  revokedAt: null,
  revokedBy: null,
  devices: [device],
  history: [
    { at: device.firstConnected, what: "DEVICE_CONNECTED", by: null, deviceId: device.deviceId },
    { at: common.createdAt, what: "CREATED", by: "night.owl", deviceId: null },
  ],
  ...notPaused,
  ...noRefund,
};
