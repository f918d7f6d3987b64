import { type AuditedChanges, type Caller, happened, onceFor, unchanged } from "../../accounts/audited-changes.ts";
import { resellerIdOf } from "../../accounts/schema.ts";
import { pricedLimit } from "../../catalogue/limits.ts";
import { durationNamed, knownGame, type NamedDuration, priceOnSale, refuseUnsold } from "../../catalogue/offers.ts";
import { type DurationRow, keyPrice } from "../../catalogue/store.ts";
import { type Clock, isoOf } from "../../core/clock.ts";
import { creditsOf } from "../../core/credits.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Database, Sql, SqlPart, Unit } from "../../db/contract.ts";
import type { Charged } from "../../facts/outbox-store.ts";
import { chargeForKeys, refuseUnpayable } from "../../resellers/charge.ts";
import { keysTo } from "../../resellers/cost.ts";
import { type External, externalOf, isRepeated, nameExtension, paidForNamed } from "../external-id-store.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { extendedKeysMax } from "../limits.ts";
import type { KeyRow, KeyView } from "../model.ts";
import { found, namedOwnerOf, refuseUndone, unrevokedKey } from "../open-key.ts";
import type { KeyHours } from "../schema.ts";
import { selectionOf, whoseKeys } from "../selection/selection.ts";
import type { Selection } from "../selection/selection-store.ts";
import { keyOf, ownerFor } from "../store.ts";
import type { AdminSelectionExtension, SelectionExtension } from "./schema.ts";
import * as store from "./store.ts";

export type Extensions = ReturnType<typeof createExtensions>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  refuseFreeCalls: RefuseFreeCalls;
  clock: Pick<Clock, "now" | "isAhead">;
}

/** How long: resellers name a duration on sale and pay for it, admins the hours. */
export type Length = Partial<NamedDuration & KeyHours>;

/** `cost` is what the caller expects it to cost, in credits; `externalId` a reseller's program's name for it. */
export type Extension = Length & { cost?: number | null; externalId?: string };

/** How an extended key is shown and remembered. */
interface Shown<View> {
  idempotencyKey?: string;
  view: KeyView<View>;
}

/** Admins pay nothing. */
type Extended<View> = { key: View } & Partial<Charged["paid"]>;

/** More time for keys (rules.md: The time of a key). */
export function createExtensions({ database, changes, refuseFreeCalls, clock }: Dependencies) {
  return {
    /**
     * Extends one's own key and pays for it; as an admin any key, for free. Throws `INVALID_DAY_TIER`, `CLOCK_AHEAD`,
     * `IDEMPOTENCY_KEY_REUSED`, `EXTERNAL_ID_REUSED`, `NOT_FOUND`, `KEY_ALREADY_REVOKED`, `NOT_SOLD`, `TOO_MANY_TRIES`,
     * `EXPIRY_TOO_FAR`, `COST_CHANGED` or `CREDITS_SHORT`.
     */
    extend: <View>(caller: Caller, id: number, { cost: expected, ...form }: Extension, shown: Shown<View>) =>
      changes.carryOut(caller, async (unit, at) => {
        const { sql } = unit;
        const terms = await termsOf(sql, caller, form);
        refuseIfAhead(clock);
        const { idempotencyKey, view } = shown;
        const request = { extend: id, ...form };
        return onceFor<Extended<View>>(sql, { accountId: caller.id, idempotencyKey, request, at }, async () => {
          const external = externalOf(request);
          const earlier = await extendedBefore(sql, caller.id, external);
          if (earlier) return unchanged({ key: view(found(await keyOf(sql, ownerFor(caller), id)), at), ...earlier });
          const key = await unrevokedKey(sql, ownerFor(caller), id);
          await refuseNotSold(sql, caller, key, terms.duration, at);
          const cost = await extendAll(unit, caller, [id], { ...terms, expected, at });
          if (cost) await nameExtension(sql, { ...external, madeBy: caller.id, keyId: id, paid: cost.paid });
          const owner = await namedOwnerOf(sql, id);
          const extended = view(await unrevokedKey(sql, ownerFor(caller), id), at);
          return happened("key_extended", { key, owner, hours: terms.hours, cost }, { key: extended, ...cost?.paid });
        });
      }),

    /**
     * How many of the selected keys can be extended, what that costs and when they expire, if the form has a length.
     * Throws `INVALID_DAY_TIER` or `INVALID`.
     */
    async look(caller: Caller, selection: Selection, form: Length) {
      const { days, durationId, hours } = form;
      if (days === undefined && durationId === undefined && hours === undefined) return {};
      const { price, duration, hours: given } = await termsOf(database.read, caller, form);
      refuseUnsold(duration);
      const terms = { price, hours: given, at: clock.now() };
      const { toExtend, costTenths, ...times } = await store.countExtension(database.query(caller), selection, terms);
      return { toExtend, cost: creditsOf(costTenths), expiry: expiryOf(times) };
    },

    /**
     * Extends all selected keys that are sold and not revoked, or none: one's own, as an admin those of admins or of any
     * reseller, for free. Throws like the call for one key, and `COUNT_CHANGED`.
     */
    async extendSelected(
      caller: Caller,
      { cost: expected, ...form }: SelectionExtension | AdminSelectionExtension,
      idempotencyKey?: string,
    ) {
      await changes.refuseTooMany(caller);
      const whose = await whoseKeys(database.read, caller, "resellerId" in form ? form.resellerId : undefined);
      const { owner, reseller, target } = whose;
      const { selection } = await selectionOf(database, caller, owner, form, clock.now());
      const { price } = await termsOf(database.read, caller, form);
      // Found here, because the worker may search without holding up other writes.
      const found = await store.listExtension(database.query(caller), selection, price, extendedKeysMax + 1);
      return changes.carryOut(caller, async (unit, at) => {
        refuseIfAhead(clock);
        const { sql } = unit;
        const request = { extend: "selected", ...form };
        return onceFor(sql, { accountId: caller.id, idempotencyKey, request, at }, async () => {
          const terms = await termsOf(sql, caller, form);
          refuseUnsold(terms.duration);
          if (found.ids.length !== form.count) throw countChanged(found.ids.length);
          const purpose = () => keysTo("extend", form.count);
          if (terms.duration) await refuseUnpayable(sql, caller, found.costTenths, { purpose, expected, at });
          const ids = await store.stillExtensible(sql, found.ids, owner, terms.price);
          if (ids.length !== form.count) throw countChanged(ids.length);
          const cost = await extendAll(unit, caller, ids, { ...terms, expected, at });
          const what = { ids, target, owner: reseller, hours: terms.hours, cost };
          return happened("keys_extended", what, { extendedCount: ids.length, paid: cost?.paid ?? null });
        });
      });
    },
  };

  /** Throws `NOT_SOLD`, `INVALID_DAY_TIER` or `TOO_MANY_TRIES`. */
  async function refuseNotSold(sql: Sql, caller: Caller, key: KeyRow, duration: DurationRow | null, at: number) {
    if (duration === null) return;
    const game = await knownGame(sql, key.game);
    const deviceLimit = pricedLimit(key.deviceLimit);
    const tenths = await priceOnSale(sql, resellerIdOf(caller), { game, duration, deviceLimit });
    if (tenths === 0) await refuseFreeCalls(sql, caller, key.id, at);
  }
}

/** What an earlier call under the same external id paid, if there is one. Throws `EXTERNAL_ID_REUSED`. */
async function extendedBefore(sql: Sql, madeBy: number, external: External): Promise<Charged["paid"] | null> {
  const { externalId } = external;
  if (externalId === null || !(await isRepeated(sql, madeBy, external))) return null;
  const { costTenths, balanceTenths } = await paidForNamed(sql, madeBy, externalId);
  return { cost: creditsOf(costTenths), credits: creditsOf(balanceTenths) };
}

/** Takes what it costs and extends the keys. Throws `EXPIRY_TOO_FAR`, `COST_CHANGED` or `CREDITS_SHORT`. */
async function extendAll(
  unit: Unit,
  caller: Caller,
  ids: readonly number[],
  { hours, price, expected, at }: Terms & { expected: Extension["cost"]; at: number },
): Promise<Charged | null> {
  const { sql } = unit;
  if (await store.isTooFar(sql, ids, hours, at)) {
    throw new Refusal("EXPIRY_TOO_FAR", "The expiry would be more than 100 years from now, so nothing was extended.");
  }
  let cost: Charged | null = null;
  if (caller.role === "reseller") {
    await refuseUndone(sql, ids);
    const purpose = () => keysTo("extend", ids.length);
    const keys = { ids, price };
    cost = await chargeForKeys(sql, caller, { keys, reason: "key_extension", purpose, expected, at });
  }
  await store.extendKeys(unit, ids, hours, at);
  return cost;
}

interface Terms {
  hours: number;
  /** Of `license_keys AS k`: null where it is not sold. */
  price: SqlPart;
  /** Admins name none. */
  duration: DurationRow | null;
}

async function termsOf(sql: Sql, caller: Caller, form: Length): Promise<Terms> {
  if (caller.role === "admin") return { hours: form.hours ?? 0, price: store.free, duration: null };
  const duration = await durationNamed(sql, form);
  return { hours: duration.hours, price: keyPrice(resellerIdOf(caller), duration.id), duration };
}

function expiryOf({ first, last, newFirst, newLast }: Omit<store.ExtensionCounts, "toExtend" | "costTenths">) {
  if (first === null || last === null || newFirst === null || newLast === null) return null;
  return { first: isoOf(first), last: isoOf(last), newFirst: isoOf(newFirst), newLast: isoOf(newLast) };
}

function countChanged(count: number): Refusal {
  const keys = count === 1 ? "1 key" : `${count > extendedKeysMax ? `More than ${extendedKeysMax}` : count} keys`;
  return new Refusal(
    "COUNT_CHANGED",
    `${keys} in this selection can be extended, so nothing was extended. Please check again.`,
  );
}
