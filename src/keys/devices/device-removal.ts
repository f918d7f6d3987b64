import type { Unit } from "../../db/contract.ts";
import { isHeard, recordEvents } from "../../facts/outbox-store.ts";
import type { WebhookEventData } from "../../facts/webhook-events.ts";
import { type Removal, removeDevice } from "./device-store.ts";

const releaseHeard = isHeard("device.released");

/**
 * Frees the device's slot, which its key's history and webhooks tell. Returns its device id, or null if the key has no
 * such device.
 */
export async function releaseDevice(
  unit: Unit,
  { by, resellerId, ...removal }: Removal & { by: WebhookEventData["by"]; resellerId: number | null },
): Promise<string | null> {
  const removed = await removeDevice(unit, removal, releaseHeard);
  if (removed === null) return null;
  const { keyId, at } = removal;
  const { deviceId, name, isHeard: mustTell } = removed;
  const data = { keyId, deviceId, ...(name !== null && { deviceName: name }), by };
  if (mustTell === 1) await recordEvents(unit.sql, [{ type: "device.released", resellerId, at, data }]);
  return deviceId;
}
