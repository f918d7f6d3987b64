import type { KeyStatus } from "../../../src/keys/schema.ts";
import { deviceLimitText, pluralText } from "../../format.ts";

interface OrderedKey {
  deviceLimit: number;
  days: number;
}

/** `30 days · 2 devices`; `365 days · Unlimited devices`. A key of less than a whole day has hours only. */
export function eachKeyText({ deviceLimit, days }: OrderedKey): string {
  const life = days === 0 ? "less than a day" : pluralText(days, "day");
  return `${life} · ${deviceLimitText(deviceLimit)} ${deviceLimit === 1 ? "device" : "devices"}`;
}

interface KeyNow {
  status: KeyStatus;
}

/** `10 active`, `7 active, 2 expired, 1 revoked`. */
export function statusesText(keys: readonly KeyNow[]): string {
  const counted = (["ACTIVE", "EXPIRED", "REVOKED"] as const).map((status) => {
    const { length } = keys.filter((key) => key.status === status);
    return length > 0 && `${length} ${status.toLowerCase()}`;
  });
  return counted.filter((text) => text).join(", ");
}
