import { type AuditedChanges, type Caller, happened, unchanged } from "../../accounts/audited-changes.ts";
import { resellerIdOf } from "../../accounts/schema.ts";
import { pricedLimit } from "../../catalogue/limits.ts";
import { knownGame, refuseRetired } from "../../catalogue/offers.ts";
import { limitPrices } from "../../catalogue/store.ts";
import { type Clock, msPerHour } from "../../core/clock.ts";
import { creditsOf } from "../../core/credits.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Database, Sql } from "../../db/contract.ts";
import { chargeForKeys, creditsLeft } from "../../resellers/charge.ts";
import { toRaiseLimit } from "../../resellers/cost.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { type KeyRow, type KeyView, remainingMs } from "../model.ts";
import { namedOwnerOf, refuseUndone, unrevokedKey } from "../open-key.ts";
import { changeDeviceLimit, ownerFor } from "../store.ts";
import { fixedPrice } from "./store.ts";

export type LimitChanges = ReturnType<typeof createLimitChanges>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  refuseFreeCalls: RefuseFreeCalls;
  clock: Pick<Clock, "now" | "isAhead">;
}

/** `cost` is what the caller expects it to cost, in credits. */
export interface LimitChange {
  deviceLimit: number;
  cost?: number | null;
}

/** Another device limit for a key (rules.md: Changing a device limit). */
export function createLimitChanges({ database, changes, refuseFreeCalls, clock }: Dependencies) {
  return {
    /**
     * What a reseller's change to this limit would cost, and the balance. Throws like the change, except
     * `CREDITS_SHORT` and `COST_CHANGED`.
     */
    async look(reseller: Caller, id: number, deviceLimit: number) {
      const key = await unrevokedKey(database.read, ownerFor(reseller), id);
      const tenths = await priceOf(database.read, reseller, key, deviceLimit, clock.now());
      return { cost: creditsOf(tenths), credits: await creditsLeft(database.read, resellerIdOf(reseller)) };
    },

    /**
     * Changes the limit of one's own key, and pays the difference of the prices for a higher one; as an admin of any key,
     * for free. A limit that stays the same changes nothing. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED`, `NOT_SOLD`,
     * `CLOCK_AHEAD`, `TOO_MANY_TRIES`, `DEVICES_CONNECTED`, `COST_CHANGED` or `CREDITS_SHORT`.
     */
    changeLimit: <View>(
      caller: Caller,
      id: number,
      { deviceLimit, cost: expected }: LimitChange,
      view: KeyView<View>,
    ) =>
      changes.carryOut(caller, async (unit, at) => {
        const { sql } = unit;
        const key = await unrevokedKey(sql, ownerFor(caller), id);
        const { deviceLimit: from } = key;
        const tenths = await priceOf(sql, caller, key, deviceLimit, at);
        const keys = { ids: [id], price: fixedPrice(tenths) };
        const payment = { reason: "device_limit_change", purpose: () => toRaiseLimit, expected, at } as const;
        const cost = caller.role === "reseller" ? await chargeForKeys(sql, caller, { keys, ...payment }) : null;
        if (deviceLimit === from) return unchanged({ key: view(key, at), cost: 0, ...cost?.paid });
        await changeDeviceLimit(unit, id, deviceLimit);
        const owner = await namedOwnerOf(sql, id);
        const changed = await unrevokedKey(sql, ownerFor(caller), id);
        const result = { key: view(changed, at), cost: 0, ...cost?.paid };
        return happened("device_limit_changed", { key, owner, from, to: deviceLimit, cost }, result);
      }),
  };

  /** What the change costs, in tenths. Throws what refuses it, but for what it spends. */
  async function priceOf(sql: Sql, caller: Caller, key: KeyRow, deviceLimit: number, at: number): Promise<number> {
    const { deviceCount } = key;
    const tenths = caller.role === "reseller" ? await costOf(sql, resellerIdOf(caller), key, deviceLimit, at) : 0;
    if (tenths > 0) refuseIfAhead(clock);
    else if (deviceLimit !== key.deviceLimit) await refuseFreeCalls(sql, caller, key.id, at);
    if (caller.role === "reseller") await refuseUndone(sql, [key.id]);
    if (deviceLimit !== key.deviceLimit && deviceLimit < deviceCount) {
      throw new Refusal("DEVICES_CONNECTED", `${deviceCount} devices are connected. Remove devices first.`);
    }
    return tenths;
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
