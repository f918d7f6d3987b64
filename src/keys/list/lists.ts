import type { Caller } from "../../accounts/caller.ts";
import type { Now } from "../../core/clock.ts";
import { nonBlank } from "../../core/field.ts";
import type { Database } from "../../db/contract.ts";
import { isCursorOf, pageOf, pageOfRows } from "../../db/paging.ts";
import { adminKeyView, resellerKeyView } from "../model.ts";
import type { AdminKey, AdminKeyList, KeyListQuery, ResellerKey } from "../schema.ts";
import * as store from "./list-store.ts";
import { type AskedKeyPage, countedKeyPageQuery, type KeyPage, keyPageQuery, matchingQuery } from "./queries.ts";
import { adminKeysStream, managedKeysStream, resellerKeysStream } from "./streams.ts";

type Whole = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Keys, searched, narrowed and sorted: page by page, or whole, as JSON that is sent as it is read. */
export interface KeyLists {
  /** The admins' own keys, with all of them counted and those that match. */
  ofAdmins(query: KeyListQuery): Promise<AdminKeyList>;
  wholeOfAdmins(admin: Caller, query: KeyListQuery): Promise<Whole>;
  /** A reseller's keys as an admin sees them. */
  ofResellerForAdmin(resellerId: number, query: KeyListQuery): Promise<{ rows: AdminKey[]; nextCursor: string | null }>;
  wholeOfResellerForAdmin(admin: Caller, resellerId: number, query: KeyListQuery): Promise<Whole>;
  /** A reseller's own. */
  ofReseller(
    resellerId: number,
    query: KeyListQuery,
  ): Promise<{ rows: ResellerKey[]; nextCursor: string | null; matchCount: number }>;
  wholeOfReseller(reseller: Caller, query: KeyListQuery): Promise<{ content: Whole; matchCount: number }>;
}

export function createKeyLists({ database, now }: { database: Database; now: Now }): KeyLists {
  return {
    async ofAdmins(query) {
      const asking = asked("admins", query);
      const { totalCount, ...found } = await database.snapshot(countedKeyPageQuery, asking);
      const { rows, nextCursor, matchCount, at } = shownOf(asking, found);
      return { keys: rows.map((row) => adminKeyView(row, at)), totalCount, matchCount, nextCursor };
    },

    wholeOfAdmins: async (admin, query) => (await whole(managedKeysStream, admin, "admins", query)).content,

    async ofResellerForAdmin(resellerId, query) {
      const { rows, nextCursor, at } = await pageOfKeys({ resellerId }, query);
      return { rows: rows.map((row) => adminKeyView(row, at)), nextCursor };
    },

    wholeOfResellerForAdmin: async (admin, resellerId, query) =>
      (await whole(adminKeysStream, admin, { resellerId }, query)).content,

    async ofReseller(resellerId, query) {
      const { rows, nextCursor, matchCount, at } = await pageOfKeys({ resellerId }, query);
      return { rows: rows.map((row) => resellerKeyView(row, at)), nextCursor, matchCount };
    },

    wholeOfReseller: (reseller, query) => whole(resellerKeysStream, reseller, { resellerId: reseller.id }, query),
  };

  async function pageOfKeys(owner: ListOwner, query: KeyListQuery) {
    const asking = asked(owner, query);
    return shownOf(asking, await database.snapshot(keyPageQuery, asking));
  }

  function shownOf({ order, page }: AskedKeyPage, { rows, filter, matchCount }: KeyPage) {
    const shown = pageOfRows(rows, page.limit, (last) => [store.sortValueOf(last, order.sort), last.id]);
    const mark = filter.search?.close ? closeMark : "";
    const nextCursor = shown.nextCursor && mark + shown.nextCursor;
    return { rows: shown.rows, nextCursor, matchCount, at: filter.at };
  }

  async function whole(stream: typeof managedKeysStream, caller: Caller, owner: ListOwner, query: KeyListQuery) {
    const { narrowed, order, page } = asked(owner, query);
    const { filter, matchCount } = await database.snapshot(matchingQuery, narrowed);
    const given = { filter, order, after: page.after, matchCount };
    return { content: await database.stream(stream, given, caller.id), matchCount };
  }

  function asked(owner: ListOwner, { search, game, status, ...query }: KeyListQuery): AskedKeyPage {
    const close = nonBlank(search) === undefined ? undefined : query.cursor?.startsWith(closeMark);
    const sort = query.sort ?? "created";
    const descending = (query.order ?? (sort === "key" ? "asc" : "desc")) === "desc";
    const cursor = close ? query.cursor?.slice(closeMark.length) || query.cursor : query.cursor;
    const page = pageOf({ ...query, cursor }, isCursorOf(store.sortColumns[sort]));
    const narrowed = { owner, query: { search, game, status }, at: now(), close };
    return { narrowed, order: { sort, descending }, page };
  }
}

type ListOwner = store.KeyFilter["owner"];

/** Begins the cursor of a list of look-alikes: they go on, also where a key was made meanwhile that has the very text. */
const closeMark = "~";
