import { type AuditedChanges, type Caller, onceFor } from "../../accounts/audited-changes.ts";
import { pricedLimit } from "../../catalogue/limits.ts";
import { durationNamed, knownGame, type NamedDuration, priceOnSale, refuseUnsold } from "../../catalogue/offers.ts";
import { type DurationRow, keyPrice } from "../../catalogue/store.ts";
import type { Clock } from "../../core/clock.ts";
import { creditsOf } from "../../core/credits.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Database, Sql, SqlPart, Unit } from "../../db/contract.ts";
import { keysIn, recordEvents } from "../../facts/outbox.ts";
import { chargeForKeys } from "../../resellers/charge.ts";
import { keysTo } from "../../resellers/cost.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { keyTarget } from "../key-target.ts";
import { extendedKeysMax } from "../limits.ts";
import { adminKeyView, resellerKeyView } from "../model.ts";
import { refuseUndone, unrevokedKey } from "../open-key.ts";
import type { AdminKey, KeyHours } from "../schema.ts";
import { selectionOf, whoseKeys } from "../selection/selection.ts";
import type { Selection } from "../selection/selection-store.ts";
import { makersOf } from "../store.ts";
import * as store from "./extension-store.ts";
import type { AdminSelectionExtension, PaidKey, SelectionExtension } from "./time-schema.ts";

type Paid = Pick<PaidKey, "cost" | "credits">;

export type Extensions = ReturnType<typeof createExtensions>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  refuseFreeCalls: RefuseFreeCalls;
  clock: Pick<Clock, "now" | "isAhead">;
}

/** More time for keys (rules.md: The time of a key). */
export function createExtensions({ database, changes, refuseFreeCalls, clock }: Dependencies) {
  return {
    /**
     * Extends one's own key, and pays for it. Throws `INVALID_DAY_TIER`, `CLOCK_AHEAD`, `IDEMPOTENCY_KEY_REUSED`,
     * `NOT_FOUND`, `KEY_ALREADY_REVOKED`, `NOT_SOLD`, `TOO_MANY_TRIES`, `CREDITS_SHORT` or `EXPIRY_TOO_FAR`.
     */
    extendAsReseller: (
      reseller: Caller,
      id: number,
      form: NamedDuration,
      idempotencyKey: string | null,
    ): Promise<Omit<PaidKey, "message">> =>
      changes.carryOut(reseller, async (unit) => {
        const { sql } = unit;
        const duration = await durationNamed(sql, form);
        const at = timeNow();
        const request = { extend: id, ...form };
        return onceFor(sql, { accountId: reseller.id, idempotencyKey, request, at }, async () => {
          const owner = { resellerId: reseller.id };
          const key = await unrevokedKey(sql, owner, id);
          const game = await knownGame(sql, key.game);
          const deviceLimit = pricedLimit(key.deviceLimit);
          const tenths = await priceOnSale(sql, reseller.id, { game, duration, deviceLimit });
          if (tenths === 0) await refuseFreeCalls(sql, reseller, id, at);
          const paid = await pay(sql, reseller, [id], store.fixedPrice(tenths), at);
          await extend(unit, [id], { hours: duration.hours, madeBy: reseller.id, at });
          const extended = await unrevokedKey(sql, owner, id);
          const data = { keyId: id, by: reseller.role, amount: paid.cost, balance: paid.credits };
          await recordEvents(sql, [{ type: "key.extended", resellerId: reseller.id, at, data }]);
          const details = { hours: duration.hours, cost: paid.cost };
          return {
            result: { key: resellerKeyView(extended, at), ...paid },
            record: { action: "key_extended", target: keyTarget(key), details },
          };
        });
      }),

    /**
     * Extends any key, for free. Throws `CLOCK_AHEAD`, `IDEMPOTENCY_KEY_REUSED`, `NOT_FOUND`, `KEY_ALREADY_REVOKED` or
     * `EXPIRY_TOO_FAR`.
     */
    extendAsAdmin: (
      admin: Caller,
      id: number,
      { hours }: KeyHours,
      idempotencyKey: string | null,
    ): Promise<{ key: AdminKey }> =>
      changes.carryOut(admin, async (unit) => {
        const { sql } = unit;
        const at = timeNow();
        const request = { extend: id, hours };
        return onceFor(sql, { accountId: admin.id, idempotencyKey, request, at }, async () => {
          const key = await unrevokedKey(sql, "anyone", id);
          await extend(unit, [id], { hours, madeBy: admin.id, at });
          const { owner, ownerId } = await makersOf(sql, id);
          const data = { keyId: id, by: admin.role };
          await recordEvents(sql, [{ type: "key.extended", resellerId: ownerId, at, data }]);
          const details = { hours, cost: 0, ...(owner !== null && { owner }) };
          return {
            result: { key: adminKeyView(await unrevokedKey(sql, "anyone", id), at) },
            record: { action: "key_extended", target: keyTarget(key), details },
          };
        });
      }),

    /**
     * How many of the selected keys can be extended, and what that costs, if the form has a duration. Throws
     * `INVALID_DAY_TIER` or `INVALID`.
     */
    async look(caller: Caller, selection: Selection, form: Partial<NamedDuration & KeyHours>) {
      const { days, durationId, hours } = form;
      if (days === undefined && durationId === undefined && hours === undefined) return {};
      const { price, duration } = await termsOf(database.read, caller, form);
      refuseUnsold(duration);
      const { toExtend, costTenths } = await store.countExtension(database.query(caller), selection, price);
      return { toExtend, cost: creditsOf(costTenths) };
    },

    /**
     * Extends all selected keys that are sold and not revoked, or none. Throws like the calls for one key, and
     * `COUNT_CHANGED`.
     */
    async extendOwn(reseller: Caller, form: SelectionExtension, idempotencyKey: string | null) {
      const { extendedCount, paid } = await extendSelected(reseller, form, idempotencyKey);
      return { extendedCount, ...(paid as Paid) };
    },
    /** The same for keys of admins or of any reseller, for free. */
    async extendAny(admin: Caller, form: AdminSelectionExtension, idempotencyKey: string | null) {
      const { extendedCount } = await extendSelected(admin, form, idempotencyKey);
      return { extendedCount };
    },
  };

  async function extendSelected(
    caller: Caller,
    form: SelectionExtension | AdminSelectionExtension,
    idempotencyKey: string | null,
  ): Promise<{ extendedCount: number; paid: Paid | null }> {
    const whose = await whoseKeys(database.read, caller, "resellerId" in form ? form.resellerId : undefined);
    const { owner, reseller, target } = whose;
    const { selection } = await selectionOf(database, caller, owner, form, clock.now());
    const terms = await termsOf(database.read, caller, form);
    // Found here, because the worker may search without holding up other writes.
    const found = await store.listExtension(database.query(caller), selection, terms.price, extendedKeysMax + 1);
    return changes.carryOut(caller, async (unit) => {
      const { sql } = unit;
      const at = timeNow();
      const request = { extend: "selected", ...form };
      return onceFor(sql, { accountId: caller.id, idempotencyKey, request, at }, async () => {
        const { hours, price, duration } = await termsOf(sql, caller, form);
        refuseUnsold(duration);
        const ids = await store.stillExtensible(sql, found, owner, price);
        if (ids.length !== form.count) throw countChanged(ids.length);
        const paid = caller.role === "reseller" ? await pay(sql, caller, ids, price, at) : null;
        await extend(unit, ids, { hours, madeBy: caller.id, at });
        const cost = paid && { amount: paid.cost, balance: paid.credits };
        const data = { ...keysIn(ids), by: caller.role, ...cost };
        await recordEvents(sql, [{ type: "key.extended", resellerId: reseller?.id ?? null, at, data }]);
        const ofReseller = caller.role === "admin" && reseller ? { resellerId: reseller.id } : {};
        const details = { count: ids.length, hours, cost: paid?.cost ?? 0, ...ofReseller };
        return {
          result: { extendedCount: ids.length, paid },
          record: { action: "keys_extended", target, details },
        };
      });
    });
  }

  /** Throws `CLOCK_AHEAD`. */
  function timeNow(): number {
    refuseIfAhead(clock);
    return clock.now();
  }
}

/** For how long, and for what price of `license_keys AS k`: null where it is not sold. Admins name no duration. */
async function termsOf(
  sql: Sql,
  caller: Caller,
  form: Partial<NamedDuration & KeyHours>,
): Promise<{ hours: number; price: SqlPart; duration: DurationRow | null }> {
  if (caller.role === "admin") return { hours: form.hours ?? 0, price: store.free, duration: null };
  const duration = await durationNamed(sql, form);
  return { hours: duration.hours, price: keyPrice(caller.id, duration.id), duration };
}

/** Throws `CREDITS_SHORT` or `CREDITS_PER_DAY_SPENT`. */
async function pay(sql: Sql, reseller: Caller, ids: readonly number[], price: SqlPart, at: number): Promise<Paid> {
  await refuseUndone(sql, ids);
  const payment = { keys: { ids, price }, reason: "key_extension" as const, purpose: keysTo("extend", ids.length), at };
  const { paid, low } = await chargeForKeys(sql, reseller, payment);
  if (paid.cost > 0) await recordEvents(sql, [low]);
  return paid;
}

/** Throws `EXPIRY_TOO_FAR`. */
async function extend(unit: Unit, ids: readonly number[], extension: { hours: number; madeBy: number; at: number }) {
  if ((await store.extendKeys(unit, ids, extension)) === 0) return;
  throw new Refusal("EXPIRY_TOO_FAR", "The expiry would be more than 100 years from now, so nothing was extended.");
}

function countChanged(count: number): Refusal {
  const keys = count === 1 ? "1 key" : `${count > extendedKeysMax ? `More than ${extendedKeysMax}` : count} keys`;
  return new Refusal(
    "COUNT_CHANGED",
    `${keys} in this selection can be extended, so nothing was extended. Please check again.`,
  );
}
