import { isoOf } from "../../core/clock.ts";
import type { DeviceRow, KeyEventRow } from "../devices/device-store.ts";
import type { KeyRow } from "../model.ts";
import type { KeyEvent } from "../schema.ts";
import type { KeyMakers } from "../store.ts";

/** What happened to a key, newest first: what its own rows show, and the events that they no longer show. */
export function historyOf({
  key,
  makers,
  connected,
  events,
  at,
}: {
  key: KeyRow;
  makers: KeyMakers;
  connected: DeviceRow[];
  events: KeyEventRow[];
  at: number;
}): KeyEvent[] {
  const entries: { at: number; what: KeyEvent["what"]; by: string | null; deviceId: string | null }[] = [
    { at: key.createdAt, what: "CREATED", by: makers.createdBy, deviceId: null },
    ...connected.map((device) => ({
      at: device.firstConnectedAt,
      what: "DEVICE_CONNECTED" as const,
      by: null,
      deviceId: device.deviceId,
    })),
    ...events,
  ];
  if (key.revokedAt !== null) {
    entries.push({ at: key.revokedAt, what: "REVOKED", by: makers.revokedBy, deviceId: null });
  }
  // A key that was revoked before its expiry never expires.
  if (key.expiresAt <= Math.min(at, key.revokedAt ?? at)) {
    entries.push({ at: key.expiresAt, what: "EXPIRED", by: null, deviceId: null });
  }
  return entries.sort((a, b) => b.at - a.at).map((entry) => ({ ...entry, at: isoOf(entry.at) }));
}
