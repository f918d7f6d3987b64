import type { AuditedChanges, Caller } from "../../accounts/audited-changes.ts";
import { pricedLimit } from "../../catalogue/limits.ts";
import { knownGame, refuseRetired } from "../../catalogue/offers.ts";
import { limitPrices } from "../../catalogue/store.ts";
import { type Clock, msPerHour } from "../../core/clock.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Sql, Unit } from "../../db/contract.ts";
import { recordEvents } from "../../facts/outbox.ts";
import { chargeForKeys } from "../../resellers/charge.ts";
import { toRaiseLimit } from "../../resellers/cost.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { keyTarget } from "../key-target.ts";
import { adminKeyView, type KeyRow, remainingMs, resellerKeyView } from "../model.ts";
import { refuseUndone, unrevokedKey } from "../open-key.ts";
import type { AdminKey } from "../schema.ts";
import { changeDeviceLimit, makersOf, type Owner } from "../store.ts";
import { fixedPrice } from "./extension-store.ts";
import type { PaidKey } from "./time-schema.ts";

export type LimitChanges = ReturnType<typeof createLimitChanges>;

interface Dependencies {
  changes: AuditedChanges;
  refuseFreeCalls: RefuseFreeCalls;
  clock: Pick<Clock, "now" | "isAhead">;
}

/** Another device limit for a key (rules.md: Changing a device limit). */
export function createLimitChanges({ changes, refuseFreeCalls, clock }: Dependencies) {
  return {
    /**
     * Changes the limit of one's own key. Raising it costs the difference of the prices. Throws `NOT_FOUND`,
     * `KEY_ALREADY_REVOKED`, `DEVICES_CONNECTED`, `NOT_SOLD`, `CLOCK_AHEAD`, `TOO_MANY_TRIES` or `CREDITS_SHORT`.
     */
    changeAsReseller: (reseller: Caller, id: number, deviceLimit: number): Promise<Omit<PaidKey, "message">> =>
      changes.carryOut(reseller, async (unit) => {
        const { sql } = unit;
        const [at, owner, resellerId] = [clock.now(), { resellerId: reseller.id }, reseller.id];
        const key = await unrevokedKey(sql, owner, id);
        const costTenths = await costOf(sql, resellerId, key, deviceLimit, at);
        if (costTenths > 0) refuseIfAhead(clock);
        else if (deviceLimit !== key.deviceLimit) await refuseFreeCalls(sql, reseller, id, at);
        await refuseUndone(sql, [id]);
        const keys = { ids: [id], price: fixedPrice(costTenths) };
        const payment = { keys, reason: "device_limit_change" as const, purpose: toRaiseLimit, at };
        const { paid, low } = await chargeForKeys(sql, reseller, payment);
        if (costTenths > 0) await recordEvents(sql, [low]);
        const changed = await change(unit, reseller, key, { owner, deviceLimit, cost: paid.cost, at });
        return { ...changed, result: { key: resellerKeyView(changed.result, at), ...paid } };
      }),

    /** Changes the limit of any key, for free. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED` or `DEVICES_CONNECTED`. */
    changeAsAdmin: (admin: Caller, id: number, deviceLimit: number): Promise<{ key: AdminKey }> =>
      changes.carryOut(admin, async (unit) => {
        const at = clock.now();
        const key = await unrevokedKey(unit.sql, "anyone", id);
        const changed = await change(unit, admin, key, { owner: "anyone", deviceLimit, cost: 0, at });
        return { ...changed, result: { key: adminKeyView(changed.result, at) } };
      }),
  };
}

/** A limit that stays the same changes nothing. Throws `DEVICES_CONNECTED`. */
async function change(
  unit: Unit,
  caller: Caller,
  key: KeyRow,
  { owner, deviceLimit, cost, at }: { owner: Owner; deviceLimit: number; cost: number; at: number },
) {
  const { id, deviceCount, deviceLimit: from } = key;
  if (deviceLimit === from) return { result: key, record: null };
  if (deviceLimit < deviceCount) {
    throw new Refusal("DEVICES_CONNECTED", `${deviceCount} devices are connected. Remove devices first.`);
  }
  await changeDeviceLimit(unit, id, { deviceLimit, madeBy: caller.id, at });
  const username = caller.role === "admin" ? (await makersOf(unit.sql, id)).owner : null;
  const details = { from, to: deviceLimit, cost, ...(username !== null && { owner: username }) };
  const record = { action: "device_limit_changed" as const, target: keyTarget(key), details };
  return { result: await unrevokedKey(unit.sql, owner, id), record };
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
