import type { ResellerKey } from "../../../../src/keys/schema.ts";
import { type DateFormat, daysLeftText, durationText } from "../../../format.ts";
import { Time } from "../../../ui/time.tsx";

interface KeyExpiryProps {
  of: Pick<ResellerKey, "expiryDate" | "durationHours">;
  format?: DateFormat;
}

/** The expiry of a key, or that it starts at first use. */
export function KeyExpiry({ of: { expiryDate, durationHours }, format }: KeyExpiryProps) {
  if (expiryDate !== null) return <Time value={expiryDate} format={format} />;
  return (
    <span className="whitespace-normal md:inline-block md:text-xs/4">
      Starts at first <span className="whitespace-nowrap">use ·</span>{" "}
      <span className="whitespace-nowrap">{durationText(durationHours ?? 0)}</span>
    </span>
  );
}

type Timed = Pick<ResellerKey, "status" | "expiryDate" | "pausedAt">;

/** How long a key that has started still runs, without the time that it is paused. Null once it is over. */
export function timeLeftText({ status, expiryDate, pausedAt }: Timed): string | null {
  if (expiryDate === null || (status !== "ACTIVE" && status !== "PAUSED")) return null;
  return daysLeftText(expiryDate, pausedAt === null ? undefined : Date.parse(pausedAt));
}
