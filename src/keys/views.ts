import { isoOf, msPerDay } from "../core/clock.ts";
import type { DeviceRow } from "./devices/device-store.ts";
import type { AdminKey, Device, ResellerKey } from "./schema.ts";
import { statusOf } from "./status.ts";
import type { KeyRow } from "./store.ts";

/** A key as admins see it, at an instant. */
export function adminKeyView(key: KeyRow, at: number): AdminKey {
  return {
    ...commonView(key, at),
    deviceCount: key.deviceCount,
    isRevoked: key.revokedAt !== null,
    daysRemaining: Math.max(0, Math.ceil((key.expiresAt - at) / msPerDay)),
  };
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
    expiryDate: isoOf(key.expiresAt),
    deviceLimit: key.deviceLimit,
    orderId: key.orderId,
    note: key.note,
  };
}

export function deviceView(device: DeviceRow): Device {
  return { id: device.id, deviceId: device.deviceId, firstConnected: isoOf(device.firstConnectedAt) };
}
