import { suspendShopLinksOf, switchOffStaffOf } from "../accounts/account-store.ts";
import { deleteApiKeysOf } from "../accounts/api-keys/api-key-store.ts";
import {
  type AuditedChanges,
  type Caller,
  happened,
  type Outcome,
  resellerQueue,
  unchanged,
} from "../accounts/audited-changes.ts";
import { resetPassword } from "../accounts/password-change.ts";
import type { Passwords } from "../accounts/passwords/passwords.ts";
import { endSessionsOfReseller } from "../accounts/store.ts";
import { reactivatedSentence, suspendedSentence } from "../accounts/suspension.ts";
import { removeTwoFactor } from "../accounts/two-factor/two-factor-store.ts";
import { isoOf } from "../core/clock.ts";
import { creditsOf, tenthsOf, tenthsPerCredit } from "../core/credits.ts";
import { nonBlank } from "../core/field.ts";
import { type RandomBytes, randomPassword } from "../core/random.ts";
import { Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Unit } from "../db/contract.ts";
import { isCursorOf, listOf } from "../db/paging.ts";
import { suspendWebhooks } from "../webhooks/webhooks.ts";
import { give, takeBack } from "./charge.ts";
import { leftOfGrant } from "./ledger-store.ts";
import {
  type CreditGrant,
  problemsInTakeBack,
  type Reseller,
  type ResellerListQuery,
  type ResellerProfile,
  type StatusChange,
  type TakeBack,
} from "./schema.ts";
import * as store from "./store.ts";

export type Resellers = ReturnType<typeof createResellers>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  passwords: Passwords;
  randomBytes: RandomBytes;
}

export function createResellers({ database, changes, passwords, randomBytes }: Dependencies) {
  return {
    list: (admin: Caller, query: ResellerListQuery) => resellerList.read(database, admin, filterOf(query), query),

    /** As admins see it. Throws `NOT_FOUND`. */
    open: async (resellerId: number) => resellerView(found(await store.resellerById(database.read, resellerId))),

    /** Throws `NOT_FOUND`. */
    async profile(resellerId: number): Promise<ResellerProfile> {
      const { username, credits, registrationDate } = resellerView(
        found(await store.resellerById(database.read, resellerId)),
      );
      return { username, credits, registrationDate };
    },

    /** Null for an id that is no reseller's. */
    usernameOf: async (resellerId: number) => (await store.resellerById(database.read, resellerId))?.username ?? null,

    /**
     * Adds whole credits to a balance and notifies the reseller's open pages. Throws `NOT_FOUND` or
     * `BALANCE_TOO_LARGE`.
     */
    async grantCredits(admin: Caller, { resellerId, amount, note }: CreditGrant): Promise<Reseller> {
      return changeFor(admin, resellerId, async ({ sql }, at) => {
        found(await store.resellerById(sql, resellerId));
        const gives = { tenths: amount * tenthsPerCredit };
        await give(sql, { resellerId, reason: "admin_grant", gives, note: nonBlank(note), madeBy: admin.id, at });
        const reseller = resellerView(found(await store.resellerById(sql, resellerId)));
        return happened("credit_granted", { reseller, amount, balance: reseller.credits }, reseller);
      });
    },

    /**
     * Takes an admin's grant back, at most what earlier calls left of it and what the balance has, and notifies the
     * reseller's open pages. Sells nothing, so it does not depend on the clock. Throws `NOT_FOUND`, `INVALID` or
     * `NOTHING_LEFT`.
     */
    async takeBack(admin: Caller, resellerId: number, { ledgerId, amount }: TakeBack): Promise<Reseller> {
      refuseProblems(problemsInTakeBack({ amount }));
      return changeFor(admin, resellerId, async ({ sql }, at) => {
        const { creditsTenths } = found(await store.resellerById(sql, resellerId));
        const left = await leftOfGrant(sql, resellerId, ledgerId);
        if (left === null) throw new Refusal("NOT_FOUND", "There is no such grant.");
        const most = Math.min(left, creditsTenths);
        const taken = amount === undefined ? most : (tenthsOf(amount) as number);
        if (taken > most || taken === 0) throw nothingLeft(most);
        const low = await takeBack(sql, { resellerId, grantId: ledgerId, tenths: taken, madeBy: admin.id, at });
        if (low === null) throw nothingLeft(0);
        const reseller = resellerView(found(await store.resellerById(sql, resellerId)));
        const what = { reseller, amount: creditsOf(taken), balance: reseller.credits, low };
        return happened("grant_taken_back", what, reseller);
      });
    },

    /**
     * Suspends or reactivates a reseller and notifies the open pages. A suspension ends all sessions, those of the staff
     * too, and deletes all API keys; its reason is for admins. Throws `NOT_FOUND`.
     */
    async setActive(admin: Caller, resellerId: number, change: StatusChange): Promise<Reseller> {
      const { isActive } = change;
      const reason = nonBlank(change.reason);
      return changeFor(admin, resellerId, async ({ sql }, at) => {
        const changed = await (isActive
          ? store.reactivate(sql, resellerId)
          : store.suspend(sql, resellerId, reason ?? null));
        const reseller = resellerView(found(await store.resellerById(sql, resellerId)));
        if (!changed) return unchanged(reseller);
        await suspendWebhooks(sql, resellerId, !isActive, at);
        await suspendShopLinksOf(sql, resellerId, !isActive);
        if (isActive) return happened("reseller_reactivated", { reseller, message: reactivatedSentence }, reseller);
        const ended = await endSessionsOfReseller(sql, resellerId);
        await deleteApiKeysOf(sql, resellerId);
        const what = { reseller, sessions: ended.length, reason, message: suspendedSentence };
        return happened("reseller_suspended", what, reseller);
      });
    },

    /**
     * Sets a random password and returns it. Ends the reseller's sessions, switches its staff off, forgets the known
     * addresses and turns two-factor off. Throws `NOT_FOUND`.
     */
    async resetPassword(admin: Caller, resellerId: number): Promise<string> {
      const password = randomPassword(randomBytes);
      const passwordHash = await passwords.hash(password, { lane: "known", person: String(admin.id) });
      return changeFor(admin, resellerId, async ({ sql }) => {
        const account = found(await store.resellerAccount(sql, resellerId));
        await removeTwoFactor(sql, resellerId);
        await switchOffStaffOf(sql, resellerId);
        const ended = await endSessionsOfReseller(sql, resellerId);
        await resetPassword(sql, resellerId, passwordHash);
        return happened("password_reset", { account, ended }, password);
      });
    },

    /** Signs the reseller and its staff out everywhere. Throws `NOT_FOUND`. */
    async endSessions(admin: Caller, resellerId: number): Promise<void> {
      await changeFor(admin, resellerId, async ({ sql }) => {
        const account = found(await store.resellerAccount(sql, resellerId));
        const ended = await endSessionsOfReseller(sql, resellerId);
        // Pages may be open whose sessions a suspension ended.
        if (ended.length === 0) return { ...unchanged(undefined), events: [{ about: "suspendedPages", resellerId }] };
        return happened("sessions_ended", { account, ended }, undefined);
      });
    },
  };

  /** Runs in the reseller's queue, because it changes the same balance and sessions as the reseller's own calls. */
  function changeFor<Result>(
    admin: Caller,
    resellerId: number,
    work: (unit: Unit, at: number) => Promise<Outcome<Result>>,
  ) {
    return changes.carryOut(admin, work, { queue: resellerQueue(resellerId) });
  }
}

function filterOf({ search, status, sort = "registered", order }: ResellerListQuery): store.ResellerFilter {
  return {
    search: nonBlank(search),
    isActive: status === "active" ? true : status === "suspended" ? false : null,
    sort,
    descending: (order ?? (sort === "username" ? "asc" : "desc")) === "desc",
  };
}

function found<Row>(row: Row | null): Row {
  if (!row) throw new Refusal("NOT_FOUND", "There is no such reseller.");
  return row;
}

function nothingLeft(mostTenths: number): Refusal {
  const most = creditsOf(mostTenths);
  const sentence = most > 0 ? `At most ${most} of this grant` : "None of this grant";
  return new Refusal("NOTHING_LEFT", `${sentence} can be taken back.`);
}

export function resellerView(row: store.ResellerRow): Reseller {
  return {
    id: row.id,
    username: row.username,
    registrationDate: isoOf(row.createdAt),
    credits: creditsOf(row.creditsTenths),
    totalKeys: row.totalKeys,
    isActive: row.isActive === 1,
    suspensionReason: row.suspensionReason,
    priceListId: row.priceListId,
  };
}

const resellerList = listOf({
  name: "resellers",
  isAfter: ({ sort }: store.ResellerFilter) => isCursorOf(store.sortColumns[sort]),
  rowsOf: store.listResellers,
  afterOf: (last, { sort }) => [store.sortValueOf(last, sort), last.id] as [string | number, number],
  view: resellerView,
});
export const resellersStream = resellerList.stream;
