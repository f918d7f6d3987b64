import type { Caller } from "../../accounts/audited-changes.ts";
import type { SessionUser } from "../../accounts/schema.ts";
import { filteredGame } from "../../catalogue/offers.ts";
import type { Now } from "../../core/clock.ts";
import type { Requester } from "../../core/fair-semaphore.ts";
import { nonBlank } from "../../core/field.ts";
import { foldedKeyText } from "../../core/key-text.ts";
import type { Database, SnapshotQuery, Sql, StreamQuery } from "../../db/contract.ts";
import { isCursorOf, type Page, pageOf, pageOfRows, wholeList } from "../../db/paging.ts";
import { adminKeyView, type KeyRow, type KeyView, resellerKeyView } from "../model.ts";
import type { AdminKeyList, KeyListQuery } from "../schema.ts";
import { ownerFor } from "../store.ts";
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
import { sharedKeys } from "./shared-store.ts";

export type KeyLists = ReturnType<typeof createKeyLists>;

/** Lists of keys, searched, filtered and sorted: page by page, or whole, as JSON that is sent while it is read. */
export function createKeyLists({ database, now }: { database: Database; now: Now }) {
  return {
    /** The admin keys, with the count of all and of those that match. */
    async ofAdmins(admin: Requester, query: KeyListQuery): Promise<AdminKeyList> {
      const request = requestOf("admins", query);
      const { totalCount, ...found } = await database.snapshot(countedKeyPageQuery, request, admin);
      const { rows, nextCursor, matchCount, at } = shownOf(request, found);
      return { keys: rows.map((row) => adminKeyView(row, at)), totalCount, matchCount, nextCursor };
    },

    /** Keys that seem to be shared: one's own, for admins all. Throws `INVALID`. */
    async shared<View>(caller: Caller, game: string | undefined, view: KeyView<View>) {
      const at = now();
      const gameId = await filteredGame(database.read, game);
      const rows = await sharedKeys(database.query(caller), ownerFor(caller), { gameId, at });
      return rows.map(({ devicesRefused, releases, ...key }) => ({ key: view(key, at), devicesRefused, releases }));
    },

    /** How many of them there are, at most as many as the list has. */
    countShared: async (viewer: SessionUser): Promise<number> =>
      (await sharedKeys(database.query(viewer), ownerFor(viewer), { at: now() })).length,

    wholeOfAdmins: async (admin: Caller, query: KeyListQuery) =>
      (await whole(managedKeysStream, admin, "admins", query)).content,

    /** The keys of a reseller, and `matchCount` is told of each list. */
    ofReseller: <View>(
      caller: Caller,
      resellerId: number,
      query: KeyListQuery,
      { view, stream, counted = () => {} }: ListedKeys<View>,
    ) => ({
      async whole() {
        const { content, matchCount } = await whole(stream, caller, { resellerId }, query);
        counted(matchCount);
        return content;
      },
      async page() {
        const { rows, nextCursor, matchCount, at } = await pageOfKeys(caller, { resellerId }, query);
        counted(matchCount);
        return { rows: rows.map((row) => view(row, at)), nextCursor };
      },
    }),
  };

  async function pageOfKeys(caller: Caller, owner: ListOwner, query: KeyListQuery) {
    const request = requestOf(owner, query);
    return shownOf(request, await database.snapshot(keyPageQuery, request, caller));
  }

  function shownOf({ order, page }: KeyPageRequest, { rows, filter, matchCount }: KeyPage) {
    const shown = pageOfRows(rows, page.limit, (last) => [sortValueOf(last, order.sort), last.id]);
    const mark = filter.search?.close ? closeMark : "";
    const nextCursor = shown.nextCursor && mark + shown.nextCursor;
    return { rows: shown.rows, nextCursor, matchCount, at: filter.at };
  }

  async function whole(stream: typeof managedKeysStream, caller: Caller, owner: ListOwner, query: KeyListQuery) {
    const { narrowed, order, page } = requestOf(owner, query);
    const { filter, matchCount } = await database.snapshot(matchingQuery, narrowed, caller);
    const given = { filter, order, after: page.after, matchCount };
    return { content: await database.stream(stream, given, caller), matchCount };
  }

  function requestOf(owner: ListOwner, { search, game, status, orderId, ...query }: KeyListQuery): KeyPageRequest {
    const close = nonBlank(search) === undefined ? undefined : query.cursor?.startsWith(closeMark);
    const sort = query.sort ?? "created";
    const descending = (query.order ?? (sort === "key" ? "asc" : "desc")) === "desc";
    const cursor = close ? query.cursor?.slice(closeMark.length) || query.cursor : query.cursor;
    const page = pageOf({ ...query, cursor }, isCursorOf(sortColumns[sort]));
    const narrowed = { owner, query: { search, game, status, orderId }, at: now(), close };
    return { narrowed, order: { sort, descending }, page };
  }
}

type ListOwner = KeyFilter["owner"];

/** How a role sees the keys of a list. */
interface ListedKeys<View> {
  view: KeyView<View>;
  stream: StreamQuery<WholeKeys>;
  counted?: (matchCount: number) => void;
}

/**
 * Begins the cursor of a list of look-alikes. The next page shows look-alikes too, even if an exact match was made
 * meanwhile.
 */
const closeMark = "~";

/** Which of an owner's keys a list shows. */
export interface Narrowed {
  owner: ListOwner;
  query: Pick<KeyListQuery, "search" | "game" | "status" | "orderId">;
  /** The instant that statuses are judged by. */
  at: number;
  /** Whether the list shows look-alikes. Undefined on the first page, which finds out. */
  close: boolean | undefined;
}

export interface Matching {
  filter: KeyFilter;
  matchCount: number;
}

/** Returns the filter for what was narrowed, and how many keys match it. */
export async function matching(
  sql: Sql,
  { owner, query: { search, game, status, orderId }, at, close }: Narrowed,
): Promise<Matching> {
  const text = nonBlank(search);
  const filter: KeyFilter = {
    owner,
    // A search without letters and digits matches every key.
    search: text === undefined || foldedKeyText(text) === "" ? undefined : await searchFor(sql, owner, text, close),
    gameId: await filteredGame(sql, game),
    status: status === "all" ? undefined : status,
    orderId,
    at,
  };
  return { filter, matchCount: await countKeys(sql, filter) };
}

/** If no key of the owner has the text, whatever the other filters, the search takes look-alikes. */
async function searchFor(sql: Sql, owner: ListOwner, text: string, close: boolean | undefined): Promise<KeySearch> {
  const search = await searchedFor(sql, owner, { text, close: close ?? false });
  if (close !== undefined || search.ids?.length !== 0) return search;
  return searchedFor(sql, owner, { text, close: true });
}

export const matchingQuery: SnapshotQuery<Narrowed, Matching> = { name: "keys that match", run: matching };

interface KeyPageRequest {
  narrowed: Narrowed;
  order: KeyOrder;
  page: Page<[string | number, number]>;
}

interface KeyPage extends Matching {
  rows: KeyRow[];
}

export const keyPageQuery: SnapshotQuery<KeyPageRequest, KeyPage> = {
  name: "page of keys",
  async run(sql, { narrowed, order, page }) {
    const { filter, matchCount } = await matching(sql, narrowed);
    const rows = matchCount === 0 ? [] : await listKeys(sql, filter, order, page, matchCount);
    return { filter, matchCount, rows };
  },
};

/**
 * Adds how many keys the owner has in all. All figures are of one instant, so they do not contradict each other or the
 * rows.
 */
export const countedKeyPageQuery: SnapshotQuery<KeyPageRequest, KeyPage & { totalCount: number }> = {
  name: "page of keys, counted",
  async run(sql, given) {
    const page = await keyPageQuery.run(sql, given);
    const { owner, at } = page.filter;
    return { ...page, totalCount: await countKeys(sql, { owner, at }) };
  },
};

/** A whole list of keys, starting after `after`. `matchCount` is how many match the filter (list-store.ts). */
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

/** The body of `GET /api/admin/keys/manage`. */
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

function keysOf(sql: Sql, { filter, order, after, matchCount }: WholeKeys, view: (key: KeyRow, at: number) => unknown) {
  return wholeList({
    after,
    rowsOf: (page) => listKeys(sql, filter, order, page, matchCount),
    afterOf: (last) => [sortValueOf(last, order.sort), last.id] as [string | number, number],
    view: (key) => view(key, filter.at),
  });
}
