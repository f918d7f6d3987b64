import { type Caller, transactionOf } from "../accounts/caller.ts";
import { closeSessionsOf } from "../accounts/store.ts";
import { reactivatedSentence, suspendedSentence } from "../accounts/suspension.ts";
import { isoOf, type Now } from "../clock.ts";
import { creditsOf, tenthsPerCredit } from "../credits.ts";
import type { Database } from "../database/database.ts";
import { isSortCursor, pageOf, pageOfRows } from "../database/paging.ts";
import { nonBlank } from "../field.ts";
import type { Live } from "../live/live.ts";
import { Refusal } from "../refusal.ts";
import type { CreditGrant, Reseller, ResellerListQuery, ResellerProfile } from "./schema.ts";
import * as store from "./store.ts";

export interface Resellers {
  list(query: ResellerListQuery): Promise<{ rows: Reseller[]; nextCursor: string | null }>;
  /** Throws `NOT_FOUND`. */
  profile(resellerId: number): Promise<ResellerProfile>;
  /** `null` for an id that is no reseller's. */
  usernameOf(resellerId: number): Promise<string | null>;
  /** Adds whole credits to a balance. Throws `NOT_FOUND` or `BALANCE_TOO_LARGE`. */
  grantCredits(admin: Caller, grant: CreditGrant): Promise<Reseller>;
  /** Ends the reseller's sessions with a suspension, and tells every open page. Throws `NOT_FOUND`. */
  setActive(admin: Caller, resellerId: number, isActive: boolean): Promise<Reseller>;
}

export function createResellers({ database, live, now }: { database: Database; live: Live; now: Now }): Resellers {
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
      const rows = await store.listResellers(database.scan, filter, page);
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

    grantCredits: (admin, { resellerId, amount }) =>
      transactionOf(database, admin, async (sql) => {
        found(await store.resellerById(sql, resellerId));
        const amountTenths = amount * tenthsPerCredit;
        const change = { resellerId, amountTenths, reason: "admin_grant" as const, madeBy: admin.id, at: now() };
        const balance = await store.changeBalance(sql, change);
        if (balance === null)
          throw new Refusal("BALANCE_TOO_LARGE", "The balance would be larger than an account may hold.");
        return resellerView(found(await store.resellerById(sql, resellerId)));
      }),

    async setActive(admin, resellerId, isActive) {
      const { reseller, changed } = await transactionOf(database, admin, async (sql) => {
        const changed = await store.setActive(sql, resellerId, isActive);
        if (changed && !isActive) await closeSessionsOf(sql, resellerId);
        return { changed, reseller: resellerView(found(await store.resellerById(sql, resellerId))) };
      });
      if (changed) {
        const message = isActive ? reactivatedSentence : suspendedSentence;
        live.tell(resellerId, { type: "status_change", isActive, message });
      }
      return reseller;
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
