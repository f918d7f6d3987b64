import type { ResellerKey } from "../../../../src/keys/schema.ts";
import { type DateFormat, firstUseText } from "../../../format.ts";
import { Time } from "../../../ui/time.tsx";

/** The expiry of a key, or that it starts at first use. */
export function KeyExpiry({
  of: { expiryDate, durationHours },
  format,
}: {
  of: Pick<ResellerKey, "expiryDate" | "durationHours">;
  format?: DateFormat;
}) {
  return expiryDate === null ? <span>{firstUseText(durationHours)}</span> : <Time value={expiryDate} format={format} />;
}
