import type { KeyStatus } from "../../../src/keys/schema.ts";
import type { Order } from "../../../src/orders/schema.ts";
import { deviceLimitText, durationText, pluralText } from "../../format.ts";
import { keyStatuses } from "../keys/list/status-badge.tsx";

/**
 * `30 days · 2 devices`; `36 hours from first use · Unlimited devices`. What differs between imported keys is left out.
 */
export function eachKeyText({
  deviceLimit,
  starts,
  undoneAt,
  ...time
}: Pick<Order, "deviceLimit" | "starts" | "undoneAt"> & OrderedTime): string {
  if (undoneAt !== null) return undoneImport;
  const life = lifeText(time);
  const texts = [
    life && `${life}${starts === "first_use" ? " from first use" : ""}`,
    deviceLimit !== null && `${deviceLimitText(deviceLimit)} ${deviceLimit === 1 ? "device" : "devices"}`,
  ];
  return texts.filter(Boolean).join(" · ") || "Differs by key";
}

export const undoneImport = "Import, undone";

type OrderedTime = Pick<Order, "days" | "durationHours">;

/** An admin's expiry date leaves whole days, or less than one. */
function lifeText({ days, durationHours }: OrderedTime): string | null {
  if (durationHours !== null) return durationText(durationHours);
  if (days === null) return null;
  return days === 0 ? "less than a day" : pluralText(days, "day");
}

/** The game of an import of several. */
export const severalGames = "Several games";

/** `10 active`, `7 active, 1 paused, 1 expired, 1 revoked`. */
export function statusesText(keys: readonly { status: KeyStatus }[]): string {
  const counted = keyStatuses.map((status) => {
    const { length } = keys.filter((key) => key.status === status);
    return length > 0 && `${length} ${status.toLowerCase()}`;
  });
  return counted.filter((text) => text).join(", ");
}
