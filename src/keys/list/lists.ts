import type { Caller } from "../../accounts/audited-changes.ts";
import type { Now } from "../../core/clock.ts";
import { nonBlank } from "../../core/field.ts";
import type { Database, SnapshotQuery, Sql, StreamQuery } from "../../db/contract.ts";
import { isCursorOf, type Page, pageOf, pageOfRows, wholeList } from "../../db/paging.ts";
import { adminKeyView, foldedKeyText, type KeyRow, resellerKeyView } from "../model.ts";
import type { AdminKey, AdminKeyList, KeyListQuery, ResellerKey } from "../schema.ts";
import {
  countKeys,
  type KeyFilter,
  type KeyOrder,
  type KeySearch,
  listKeys,
  searchedFor,
  sortColumns,
  sortValueOf,
} from "./list-store.ts";

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
    const shown = pageOfRows(rows, page.limit, (last) => [sortValueOf(last, order.sort), last.id]);
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
    const page = pageOf({ ...query, cursor }, isCursorOf(sortColumns[sort]));
    const narrowed = { owner, query: { search, game, status }, at: now(), close };
    return { narrowed, order: { sort, descending }, page };
  }
}

type ListOwner = KeyFilter["owner"];

/** Begins the cursor of a list of look-alikes: they go on, also where a key was made meanwhile that has the very text. */
const closeMark = "~";

/** What somebody asks to see of an owner's keys. */
export interface Narrowed {
  owner: KeyFilter["owner"];
  query: Pick<KeyListQuery, "search" | "game" | "status">;
  /** The instant that statuses are judged by. */
  at: number;
  /** Whether look-alikes are meant, for whoever goes on with what was asked before. */
  close: boolean | undefined;
}

export interface Matching {
  filter: KeyFilter;
  matchCount: number;
}

/** What is meant, and how many keys fit it. */
export async function matching(
  sql: Sql,
  { owner, query: { search, game, status }, at, close }: Narrowed,
): Promise<Matching> {
  const text = nonBlank(search);
  const filter: KeyFilter = {
    owner,
    // Every key has in its text what has no letters.
    search: text === undefined || foldedKeyText(text) === "" ? undefined : await searchFor(sql, owner, text, close),
    game: game === "all" ? undefined : game,
    status: status === "all" ? undefined : status,
    at,
  };
  return { filter, matchCount: await countKeys(sql, filter) };
}

/** Where no key of the owner has the text that is searched for, whatever the other filters, look-alikes are meant. */
async function searchFor(
  sql: Sql,
  owner: KeyFilter["owner"],
  text: string,
  close: boolean | undefined,
): Promise<KeySearch> {
  const search = await searchedFor(sql, owner, { text, close: close ?? false });
  if (close !== undefined || search.ids?.length !== 0) return search;
  return searchedFor(sql, owner, { text, close: true });
}

/** Which keys are meant, and how many they are. */
export const matchingQuery: SnapshotQuery<Narrowed, Matching> = { name: "keys that match", run: matching };

interface AskedKeyPage {
  narrowed: Narrowed;
  order: KeyOrder;
  page: Page<[string | number, number]>;
}

interface KeyPage extends Matching {
  rows: KeyRow[];
}

/** A page of them. */
export const keyPageQuery: SnapshotQuery<AskedKeyPage, KeyPage> = {
  name: "page of keys",
  async run(sql, { narrowed, order, page }) {
    const { filter, matchCount } = await matching(sql, narrowed);
    const rows = matchCount === 0 ? [] : await listKeys(sql, filter, order, page, matchCount);
    return { filter, matchCount, rows };
  },
};

/** A page of them, and how many their owner has whatever the filters: of one instant, so that neither count denies the other or the rows. */
export const countedKeyPageQuery: SnapshotQuery<AskedKeyPage, KeyPage & { totalCount: number }> = {
  name: "page of keys, counted",
  async run(sql, given) {
    const page = await keyPageQuery.run(sql, given);
    const { owner, at } = page.filter;
    return { ...page, totalCount: await countKeys(sql, { owner, at }) };
  },
};

/** A whole list of keys, from `after` on. `matchCount` says how many fit the filter (list-store.ts). */
interface WholeKeys {
  filter: KeyFilter;
  order: KeyOrder;
  after: [string | number, number] | null;
  matchCount: number;
}

export const adminKeysStream: StreamQuery<WholeKeys> = {
  name: "keys as admins see them",
  pieces: (sql, given) => keysOf(sql, given, adminKeyView),
};

export const resellerKeysStream: StreamQuery<WholeKeys> = {
  name: "keys as their reseller sees them",
  pieces: (sql, given) => keysOf(sql, given, resellerKeyView),
};

/** As `GET /api/admin/keys/manage` answers it. */
export const managedKeysStream: StreamQuery<WholeKeys> = {
  name: "admin keys, counted",
  async *pieces(sql, given) {
    let opening = '{"keys":';
    for await (const text of keysOf(sql, given, adminKeyView)) {
      yield opening + text;
      opening = "";
    }
    const { owner, at } = given.filter;
    const totalCount = await countKeys(sql, { owner, at });
    const matchCount = await countKeys(sql, given.filter);
    yield `,${JSON.stringify({ totalCount, matchCount, nextCursor: null }).slice(1)}`;
  },
};

function keysOf(
  sql: Sql,
  { filter, order, after, matchCount }: WholeKeys,
  view: (key: KeyRow, at: number) => unknown,
): AsyncIterable<string> {
  return wholeList({
    after,
    rowsOf: (page) => listKeys(sql, filter, order, page, matchCount),
    afterOf: (last) => [sortValueOf(last, order.sort), last.id] as [string | number, number],
    view: (key) => view(key, filter.at),
  });
}
