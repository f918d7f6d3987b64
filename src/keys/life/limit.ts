import { type AuditedChanges, type Caller, happened, unchanged } from "../../accounts/audited-changes.ts";
import { pricedLimit } from "../../catalogue/limits.ts";
import { knownGame, refuseRetired } from "../../catalogue/offers.ts";
import { limitPrices } from "../../catalogue/store.ts";
import { type Clock, msPerHour } from "../../core/clock.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Sql } from "../../db/contract.ts";
import { chargeForKeys } from "../../resellers/charge.ts";
import { toRaiseLimit } from "../../resellers/cost.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { type KeyRow, type KeyView, remainingMs } from "../model.ts";
import { namedOwnerOf, refuseUndone, unrevokedKey } from "../open-key.ts";
import { changeDeviceLimit, ownerFor } from "../store.ts";
import { fixedPrice } from "./store.ts";

export type LimitChanges = ReturnType<typeof createLimitChanges>;

interface Dependencies {
  changes: AuditedChanges;
  refuseFreeCalls: RefuseFreeCalls;
  clock: Pick<Clock, "isAhead">;
}

/** Another device limit for a key (rules.md: Changing a device limit). */
export function createLimitChanges({ changes, refuseFreeCalls, clock }: Dependencies) {
  return {
    /**
     * Changes the limit of one's own key, and pays the difference of the prices for a higher one; as an admin of any key,
     * for free. A limit that stays the same changes nothing. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED`, `NOT_SOLD`,
     * `CLOCK_AHEAD`, `TOO_MANY_TRIES`, `CREDITS_SHORT` or `DEVICES_CONNECTED`.
     */
    changeLimit: <View>(caller: Caller, id: number, deviceLimit: number, view: KeyView<View>) =>
      changes.carryOut(caller, async (unit, at) => {
        const { sql } = unit;
        const key = await unrevokedKey(sql, ownerFor(caller), id);
        const { deviceLimit: from, deviceCount } = key;
        const cost = caller.role === "reseller" ? await paid(sql, caller, key, deviceLimit, at) : null;
        if (deviceLimit === from) return unchanged({ key: view(key, at), ...cost?.paid });
        if (deviceLimit < deviceCount) {
          throw new Refusal("DEVICES_CONNECTED", `${deviceCount} devices are connected. Remove devices first.`);
        }
        await changeDeviceLimit(unit, id, deviceLimit);
        const owner = await namedOwnerOf(sql, id);
        const changed = await unrevokedKey(sql, ownerFor(caller), id);
        const result = { key: view(changed, at), ...cost?.paid };
        return happened("device_limit_changed", { key, owner, from, to: deviceLimit, cost }, result);
      }),
  };

  async function paid(sql: Sql, reseller: Caller, key: KeyRow, deviceLimit: number, at: number) {
    const tenths = await costOf(sql, reseller.id, key, deviceLimit, at);
    if (tenths > 0) refuseIfAhead(clock);
    else if (deviceLimit !== key.deviceLimit) await refuseFreeCalls(sql, reseller, key.id, at);
    await refuseUndone(sql, [key.id]);
    const keys = { ids: [key.id], price: fixedPrice(tenths) };
    return chargeForKeys(sql, reseller, { keys, reason: "device_limit_change", purpose: () => toRaiseLimit, at });
  }
}

/**
 * What a reseller pays for another limit, in tenths: for a higher one the difference of the prices for the shortest
 * duration on sale that covers the time that is left, else for the longest. Throws `NOT_SOLD`.
 */
async function costOf(sql: Sql, resellerId: number, key: KeyRow, deviceLimit: number, at: number): Promise<number> {
  if (deviceLimit <= key.deviceLimit) return 0;
  const game = await knownGame(sql, key.game);
  refuseRetired(game);
  const limits = { gameId: game.id, from: pricedLimit(key.deviceLimit), to: pricedLimit(deviceLimit) };
  const prices = await limitPrices(sql, resellerId, limits);
  const left = remainingMs(key, at);
  const price = prices.find(({ hours }) => hours * msPerHour >= left) ?? prices.at(-1);
  if (!price) throw new Refusal("NOT_SOLD", `${game.name} is not sold on so many devices.`);
  return Math.max(0, price.toTenths - price.fromTenths);
}
