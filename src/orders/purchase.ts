import {
  type AuditedChanges,
  type Caller,
  happened,
  type Outcome,
  onceFor,
  unchanged,
} from "../accounts/audited-changes.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { durationNamed, knownGame, priceOnSale, refuseRetired } from "../catalogue/offers.ts";
import type { GameRow } from "../catalogue/store.ts";
import { type Clock, endOfDay, hoursPerDay, instantIn, msPerDay, msPerHour } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { countedAs } from "../core/fair-semaphore.ts";
import { randomKeyString } from "../core/key-text.ts";
import { untilStarted } from "../core/key-time.ts";
import type { RandomBytes } from "../core/random.ts";
import { invalid, Refusal, refuseIfAhead } from "../core/refusal.ts";
import type { Sql } from "../db/contract.ts";
import { customKeyOf, keyTaken } from "../keys/custom-key.ts";
import { type External, externalOf, isRepeated } from "../keys/external-id-store.ts";
import { expiryDaysMax, keysPerBatchMax } from "../keys/limits.ts";
import type { KeyRow, KeyView } from "../keys/model.ts";
import type { KeyStart } from "../keys/schema.ts";
import { countMade, insertKey, isKeyTaken, keysOfOrder, type NewKey } from "../keys/store.ts";
import { chargeForOrder, refuseDearer } from "../resellers/charge.ts";
import { keysTo } from "../resellers/cost.ts";
import type { Throttle } from "../verify/throttle.ts";
import type { AdminKeyOrder, KeyPurchase } from "./schema.ts";
import { type GeneratedOrderRow, insertOrder, type NewOrder, orderNamed, orderOf, orderOfSale } from "./store.ts";

export type Purchase = ReturnType<typeof createPurchase>;

interface Dependencies {
  changes: AuditedChanges;
  throttle: Pick<Throttle, "watchTaken">;
  clock: Pick<Clock, "now" | "isAhead">;
  randomBytes: RandomBytes;
}

interface Shown<View> {
  idempotencyKey?: string;
  /** Of a shop's order, which names a duration also where it is an admin's. */
  sale?: Sale;
  view: KeyView<View>;
}

/** `credits` is what is left of a reseller's balance. */
interface Made<View> {
  orderId: number;
  keys: View[];
  cost: number;
  credits?: number;
}

export type Sale = { shopLinkId: number; shopLinkName: string; saleId: string };

const noSale = { shopLinkId: null, shopLinkName: null, saleId: null };

/** Makes keys. A batch is made whole or not at all. */
export function createPurchase({ changes, throttle, clock, randomBytes }: Dependencies) {
  return {
    /**
     * Sells a batch to a reseller: all keys, the charge and its ledger row in one transaction. Admin keys cost nothing and
     * have no owner. Throws `FORBIDDEN` (another's resellerId), `INVALID_DAY_TIER`, `CLOCK_AHEAD`, `TOO_MANY_TRIES`
     * (a reseller's custom keys that were taken), `INVALID` (the game, an admin's expiry), `NOT_SOLD`, `COST_CHANGED`,
     * `KEY_TAKEN`, `CREDITS_SHORT`, `CREDITS_PER_DAY_SPENT`, `EXTERNAL_ID_REUSED` or `IDEMPOTENCY_KEY_REUSED`.
     */
    async generate<View>(caller: Caller, order: KeyPurchase | AdminKeyOrder, shown: Shown<View>): Promise<Made<View>> {
      const isPaid = caller.role === "reseller";
      if (isPaid && "resellerId" in order && order.resellerId !== resellerIdOf(caller)) {
        throw new Refusal("FORBIDDEN", "You can generate keys only for your own account.");
      }
      const generate = () => changes.carryOut(caller, ({ sql }, at) => generated(sql, caller, order, shown, at));
      const namesKey = customKeyOf(order) !== undefined;
      return isPaid && namesKey ? throttle.watchTaken(countedAs(caller), generate) : generate();
    },

    /** The same in the caller's transaction, for a shop's sale that was not delivered yet. */
    make: generated,
  };

  async function generated<View>(
    sql: Sql,
    caller: Caller,
    { cost: expected, ...order }: KeyPurchase | AdminKeyOrder,
    { idempotencyKey, sale, view }: Shown<View>,
    at: number,
  ): Promise<Outcome<Made<View>>> {
    // Durations are never deleted, so an unknown one is refused before a retry is looked up.
    const isPaid = caller.role === "reseller";
    const duration = isPaid || sale ? await durationNamed(sql, order as KeyPurchase) : null;
    const timeFrom = (start: number) =>
      duration ? timeOf(order.starts, duration.hours, start) : adminTimeOf(order as AdminKeyOrder, start);
    refuseIfAhead(clock);
    const outcome = await onceFor<Made<View>>(sql, { accountId: caller.id, idempotencyKey, request: order, at }, make);
    // What an older version remembered has no cost.
    outcome.result.cost ??= creditsOf((await orderOf(sql, "anyone", outcome.result.orderId))?.costTenths ?? 0);
    return outcome;

    async function make(): Promise<Outcome<Made<View>>> {
      const external = externalOf(order);
      const earlier = await orderedBefore(sql, caller.id, external);
      if (earlier) {
        const keys = await keysAsMade(sql, { ...earlier, ...timeFrom(earlier.at) });
        const credits = duration && { credits: creditsOf(earlier.balanceTenths) };
        const cost = creditsOf(earlier.costTenths);
        return unchanged({ orderId: earlier.id, keys: keys.map((key) => view(key, earlier.at)), cost, ...credits });
      }
      // Checked in here, so that a retry returns the first result although the expiry may have passed by now.
      const time = timeFrom(at);
      const game = await knownGame(sql, order.game);
      const { deviceLimit, count, keyString } = order;
      const ownerId = isPaid ? resellerIdOf(caller) : null;
      const costTenths = duration ? count * (await priceOnSale(sql, ownerId, { game, duration, deviceLimit })) : 0;
      refuseRetired(game);
      refuseDearer(costTenths, expected);
      await refuseTakenKey(sql, order);
      const made = {
        ...time,
        ...external,
        ...(sale ?? noSale),
        gameId: game.id,
        deviceLimit,
        count,
        costTenths,
        resellerId: ownerId,
        madeBy: caller.id,
        at,
      };
      const insert = () => insertOrder(sql, made);
      const purpose = () => keysTo("generate", count);
      const { orderId, ...charged } = isPaid
        ? await chargeForOrder(sql, caller, { tenths: costTenths, insertOrder: insert, purpose, at })
        : { orderId: await insert() };
      const keys = await insertBatch(sql, { ...made, keyString, game, orderId });
      const cost = "paid" in charged ? charged : null;
      const keyIds = keys.map(({ id }) => id);
      const named = { game: game.name, durationId: duration?.id ?? null };
      const what = { orderId, resellerId: ownerId, order: made, ...named, keyIds, cost };
      const result = { orderId, keys: keys.map((key) => view(key, at)), cost: 0, ...cost?.paid };
      return happened("keys_generated", what, result);
    }
  }

  /** The custom key, if any, is the first of the batch; the others are random, and a collision is drawn again. */
  async function insertBatch(
    sql: Sql,
    order: NewOrder & Time & { game: GameRow; keyString?: string; orderId: number },
  ): Promise<KeyRow[]> {
    const { game, gameId, deviceLimit, count, at, resellerId, madeBy, orderId } = order;
    const { expiresAt, isFirstUse, startedAt, durationHours } = order;
    const keys: KeyRow[] = [];
    const custom = customKeyOf(order);
    while (keys.length < count) {
      const isCustom = custom !== undefined && keys.length === 0;
      const key: NewKey = {
        keyString: isCustom ? custom : randomKeyString(game.prefix, randomBytes),
        gameId,
        deviceLimit,
        createdAt: at,
        expiresAt,
        isFirstUse,
        startedAt,
        durationHours,
        resellerId,
        createdBy: madeBy,
        orderId,
      };
      const id = await insertKey(sql, key);
      if (id !== null) keys.push({ id, ...key, game: game.name, deviceCount: 0, ...neverChanged });
      else if (isCustom) throw keyTaken(custom);
    }
    await countMade(sql, { resellerId, gameId, expiresAt }, count);
    return keys;
  }
}

/** The texts of the keys that were delivered for a sale, or null. Throws `SALE_CHANGED` if they were not `count`. */
export async function soldKeys(sql: Sql, sale: Sale, count: number): Promise<string[] | null> {
  const order = await orderOfSale(sql, sale);
  if (!order) return null;
  if (order.count !== count)
    throw new Refusal("SALE_CHANGED", `The sale ${sale.saleId} was delivered with ${order.count} key(s).`);
  return (await keysOfOrder(sql, order.id, keysPerBatchMax)).map(({ keyString }) => keyString);
}

/** The order that an earlier call made under the same external id, if any. Throws `EXTERNAL_ID_REUSED`. */
async function orderedBefore(sql: Sql, madeBy: number, external: External) {
  const { externalId } = external;
  if (externalId === null || !(await isRepeated(sql, madeBy, external))) return null;
  return orderNamed(sql, { madeBy, externalId });
}

/** The keys of an order as the call that made them returned them. */
async function keysAsMade(
  sql: Sql,
  { id, game, deviceLimit, at, ...time }: GeneratedOrderRow & Time,
): Promise<KeyRow[]> {
  const { expiresAt, isFirstUse, startedAt, durationHours } = time;
  const keys = await keysOfOrder(sql, id, keysPerBatchMax);
  return keys.map(({ id: keyId, keyString }) => ({
    id: keyId,
    keyString,
    game,
    deviceLimit,
    createdAt: at,
    expiresAt,
    isFirstUse,
    startedAt,
    durationHours,
    orderId: id,
    deviceCount: 0,
    ...neverChanged,
  }));
}

const neverChanged = { pausedAt: null, revokedAt: null, replacedBy: null, note: null };

async function refuseTakenKey(sql: Sql, order: { keyString?: string }): Promise<void> {
  const custom = customKeyOf(order);
  if (custom !== undefined && (await isKeyTaken(sql, custom))) throw keyTaken(custom);
}

/** When the keys of an order start and expire, for each of them the same. */
type Time = Pick<NewKey, "expiresAt" | "isFirstUse" | "startedAt" | "durationHours"> & { days: number };

function timeOf(starts: KeyStart | undefined, hours: number, at: number): Time {
  const length = { durationHours: hours, days: Math.floor(hours / hoursPerDay) };
  return starts === "first_use"
    ? { ...length, isFirstUse: 1, startedAt: null, expiresAt: untilStarted }
    : { ...length, isFirstUse: 0, startedAt: at, expiresAt: at + hours * msPerHour };
}

/** Keys have either an expiry or, where they start at first use, a duration. Throws `INVALID`. */
function adminTimeOf({ starts, expiryDate, durationHours }: AdminKeyOrder, at: number): Time {
  if (starts === "first_use") {
    if (durationHours === undefined) throw invalid("durationHours", "durationHours is required");
    if (expiryDate !== undefined) throw invalid("expiryDate", "Keys that start at first use have no expiry date yet");
    return timeOf(starts, durationHours, at);
  }
  if (expiryDate === undefined) throw invalid("expiryDate", "Expiry date is required");
  if (durationHours !== undefined) {
    throw invalid("durationHours", "durationHours is only for keys that start at first use");
  }
  const expiresAt = expiryOf(expiryDate, at);
  const days = Math.floor((expiresAt - at) / msPerDay);
  return { expiresAt, days, isFirstUse: 0, startedAt: at, durationHours: null };
}

/**
 * The instant of an admin's `expiryDate`, in milliseconds. A bare date is the end of that day in UTC, and a time
 * without a zone is in UTC. Throws `INVALID` unless it is in the future and at most 366 days away
 * (rules.md: Making admin keys).
 */
export function expiryOf(expiryDate: string, now: number): number {
  const instant = instantIn(expiryDate.trim());
  if (!instant) throw invalid("expiryDate", "Expiry date must be an ISO date or date-time");
  const at = instant.isDate ? endOfDay(instant.at) : instant.at;
  if (at <= now) throw invalid("expiryDate", "Expiry date must be in the future");
  const lastInstant = now + expiryDaysMax * msPerDay;
  const latest = instant.isDate ? endOfDay(lastInstant) : lastInstant;
  if (at > latest) throw invalid("expiryDate", `Expiry date must be at most ${expiryDaysMax} days away`);
  return at;
}
