import { type Static, Type } from "@sinclair/typebox";
import { OrderedGame } from "../catalogue/game-name.ts";
import { isoOf, msPerDay } from "../core/clock.ts";
import { adminDaysMax } from "../keys/limits.ts";
import { AdminDeviceLimit, Count, CustomKey } from "./schema.ts";

const atLeastOneDay = "Must be at least 1 day";

/** The admin's form has days, from which the order's expiry date follows. */
export const AdminKeyForm = Type.Object({
  game: OrderedGame,
  deviceLimit: AdminDeviceLimit,
  days: Type.Integer({
    minimum: 1,
    maximum: adminDaysMax,
    says: {
      required: atLeastOneDay,
      tooSmall: atLeastOneDay,
      tooLarge: `Must be at most ${adminDaysMax} days`,
      wrong: "Days must be a whole number",
    },
  }),
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
