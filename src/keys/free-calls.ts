import type { Caller } from "../accounts/audited-changes.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { dayOf, endOfDay, msPerDay, msPerSecond } from "../core/clock.ts";
import { Refusal } from "../core/refusal.ts";
import type { Sql } from "../db/contract.ts";
import { countFreeCalls } from "./store.ts";

/** rules.md: History of a key. */
const freeCallsPerDayMax = 200;

export type RefuseFreeCalls = ReturnType<typeof limitFreeCalls>;

/**
 * Returns what a reseller's call on one key that costs nothing runs first, in its transaction: it throws
 * `TOO_MANY_TRIES` once there were too many on this UTC day. `isLimited` is false with RATE_LIMITS=off.
 */
export function limitFreeCalls({ isLimited }: { isLimited: boolean }) {
  return async (sql: Sql, caller: Caller, keyId: number, at: number): Promise<void> => {
    if (!isLimited || caller.role === "admin") return;
    const count = await countFreeCalls(sql, { keyId, resellerId: resellerIdOf(caller), since: dayOf(at) * msPerDay });
    if (count < freeCallsPerDayMax) return;
    const retryAfterSeconds = Math.ceil((endOfDay(at) + 1 - at) / msPerSecond);
    const sentence = `This key was changed ${freeCallsPerDayMax} times today. Please try again tomorrow.`;
    throw new Refusal("TOO_MANY_TRIES", sentence, { retryAfterSeconds, isHeldBack: true });
  };
}
