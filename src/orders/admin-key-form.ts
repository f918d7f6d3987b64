import { type Static, Type } from "@sinclair/typebox";
import { OrderedGame } from "../catalogue/game-name.ts";
import { isoOf, msPerDay } from "../core/clock.ts";
import { CustomKey } from "../keys/custom-key.ts";
import { lengthFields } from "../keys/life/length-form.ts";
import { AdminDeviceLimit, Count, Starts } from "./order-form.ts";

/** The admin's form has a length, from which the order's expiry date or duration follows. */
export const AdminKeyForm = Type.Object({
  game: OrderedGame,
  deviceLimit: AdminDeviceLimit,
  ...lengthFields,
  starts: Starts,
  count: Count,
  keyString: CustomKey,
});
export type AdminKeyForm = Static<typeof AdminKeyForm>;

/**
 * Today plus days, as a date (rules.md: Making admin keys). A key lives to the end of that day in UTC. Today is that of
 * UTC too, so that no time zone shortens a key's life.
 */
export function expiryDateAfter(days: number, now: number): string {
  return isoOf(now + days * msPerDay).slice(0, "2025-03-05".length);
}
