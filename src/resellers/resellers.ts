import { type Caller, transactionOf } from "../accounts/caller.ts";
import { resetPassword } from "../accounts/password-change.ts";
import type { Passwords } from "../accounts/passwords.ts";
import { randomPassword } from "../accounts/random-password.ts";
import { endSessionsOf } from "../accounts/session-store.ts";
import { reactivatedSentence, suspendedSentence } from "../accounts/suspension.ts";
import { removeTwoFactor } from "../accounts/two-factor-store.ts";
import { isoOf, type Now } from "../clock.ts";
import { creditsOf, tenthsPerCredit } from "../credits.ts";
import type { Database } from "../database/database.ts";
import { isSortCursor, pageOf, pageOfRows } from "../database/paging.ts";
import { nonBlank } from "../field.ts";
import type { SecurityLog } from "../http/security-log.ts";
import type { Live } from "../live/live.ts";
import type { RandomBytes } from "../random.ts";
import { Refusal } from "../refusal.ts";
import type { CreditGrant, Reseller, ResellerListQuery, ResellerProfile } from "./schema.ts";
import * as store from "./store.ts";

export interface Resellers {
  list(query: ResellerListQuery): Promise<{ rows: Reseller[]; nextCursor: string | null }>;
  /** Throws `NOT_FOUND`. */
  profile(resellerId: number): Promise<ResellerProfile>;
  /** `null` for an id that is no reseller's. */
  usernameOf(resellerId: number): Promise<string | null>;
  /** Adds whole credits to a balance, and tells the reseller's open pages. Throws `NOT_FOUND` or `BALANCE_TOO_LARGE`. */
  grantCredits(admin: Caller, grant: CreditGrant): Promise<Reseller>;
  /** Ends the reseller's sessions with a suspension, and tells every open page. Throws `NOT_FOUND`. */
  setActive(admin: Caller, resellerId: number, isActive: boolean): Promise<Reseller>;
  /**
   * Gives the reseller a random password, and answers it, once: ends the sessions, forgets the known addresses, turns two-factor off.
   * Throws `NOT_FOUND`.
   */
  resetPassword(admin: Caller, resellerId: number): Promise<string>;
  /** Signs the reseller out everywhere. Throws `NOT_FOUND`. */
  endSessions(admin: Caller, resellerId: number): Promise<void>;
}

export function createResellers({
  database,
  live,
  passwords,
  securityLog,
  now,
  randomBytes,
}: {
  database: Database;
  live: Live;
  passwords: Passwords;
  securityLog: Pick<SecurityLog, "done">;
  now: Now;
  randomBytes: RandomBytes;
}): Resellers {
  return {
    async list(query) {
      const sort = query.sort ?? "registered";
      const page = pageOf(query, isSortCursor);
      const filter: store.ResellerFilter = {
        search: nonBlank(query.search),
        isActive: query.status === "active" ? true : query.status === "suspended" ? false : null,
        sort,
        descending: (query.order ?? (sort === "username" ? "asc" : "desc")) === "desc",
      };
      const rows = await store.listResellers(database.read, filter, page);
      const shown = pageOfRows(rows, page.limit, (last) => [store.sortValueOf(last, sort), last.id]);
      return { rows: shown.rows.map(resellerView), nextCursor: shown.nextCursor };
    },

    async profile(resellerId) {
      const { username, credits, registrationDate } = resellerView(
        found(await store.resellerById(database.read, resellerId)),
      );
      return { username, credits, registrationDate };
    },

    usernameOf: async (resellerId) => (await store.resellerById(database.read, resellerId))?.username ?? null,

    async grantCredits(admin, { resellerId, amount }) {
      const reseller = await transactionOf(database, admin, async (sql) => {
        found(await store.resellerById(sql, resellerId));
        const amountTenths = amount * tenthsPerCredit;
        const change = { resellerId, amountTenths, reason: "admin_grant" as const, madeBy: admin.id, at: now() };
        const balance = await store.changeBalance(sql, change);
        if (balance === null)
          throw new Refusal("BALANCE_TOO_LARGE", "The balance would be larger than an account may hold.");
        return resellerView(found(await store.resellerById(sql, resellerId)));
      });
      securityLog.done("credit_granted", admin, { target: `reseller ${reseller.username}`, amount });
      live.tell(resellerId, { type: "credits_change" });
      return reseller;
    },

    async setActive(admin, resellerId, isActive) {
      const { reseller, changed } = await transactionOf(database, admin, async (sql) => {
        const changed = await store.setActive(sql, resellerId, isActive);
        if (changed && !isActive) await endSessionsOf(sql, { accountId: resellerId });
        return { changed, reseller: resellerView(found(await store.resellerById(sql, resellerId))) };
      });
      if (changed) {
        const message = isActive ? reactivatedSentence : suspendedSentence;
        live.tell(resellerId, { type: "status_change", isActive, message });
        const event = isActive ? "reseller_reactivated" : "reseller_suspended";
        securityLog.done(event, admin, { target: `reseller ${reseller.username}` });
      }
      return reseller;
    },

    async resetPassword(admin, resellerId) {
      const password = randomPassword(randomBytes);
      const passwordHash = await passwords.hash(password, { lane: "known", person: String(admin.id) });
      const ended = await transactionOf(database, admin, async (sql) => {
        found(await store.resellerById(sql, resellerId));
        await removeTwoFactor(sql, resellerId);
        return resetPassword(sql, { accountId: resellerId, passwordHash });
      });
      live.closeSessions(ended);
      return password;
    },

    async endSessions(admin, resellerId) {
      const ended = await transactionOf(database, admin, async (sql) => {
        found(await store.resellerById(sql, resellerId));
        return endSessionsOf(sql, { accountId: resellerId });
      });
      live.closeSessions(ended);
    },
  };
}

function found(row: store.ResellerRow | null): store.ResellerRow {
  if (!row) throw new Refusal("NOT_FOUND", "There is no such reseller.");
  return row;
}

function resellerView(row: store.ResellerRow): Reseller {
  return {
    id: row.id,
    username: row.username,
    registrationDate: isoOf(row.createdAt),
    credits: creditsOf(row.creditsTenths),
    totalKeys: row.totalKeys,
    isActive: row.isActive === 1,
  };
}
