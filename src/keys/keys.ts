import type { Acts, Done } from "../accounts/acts.ts";
import type { Caller } from "../accounts/caller.ts";
import { isoOf, type Now } from "../clock.ts";
import type { Database, Sql } from "../database/database.ts";
import { isSortCursor, pageOf, pageOfRows } from "../database/paging.ts";
import { nonBlank } from "../field.ts";
import { Refusal } from "../refusal.ts";
import * as devices from "./device-store.ts";
import { historyOf } from "./history.ts";
import { keyTarget } from "./key-target.ts";
import * as lists from "./list-store.ts";
import type {
  AdminKey,
  AdminKeyDetail,
  KeyListQuery,
  ResellerKey,
  ResellerKeyDetail,
  ResellerKeyListQuery,
} from "./schema.ts";
import type { Standings } from "./standings.ts";
import { statusOf } from "./status.ts";
import * as store from "./store.ts";
import { adminKeyView, deviceView, resellerKeyView } from "./views.ts";

/** What becomes of keys once they are made. `purchase.ts` makes them, `verify.ts` answers for them. */
export interface Keys {
  /** The admins' own keys, with all of them counted and those that match. */
  listOfAdmins(
    query: KeyListQuery,
  ): Promise<{ keys: AdminKey[]; totalCount: number; matchCount: number; nextCursor: string | null }>;
  /** A reseller's keys as an admin sees them. */
  listForAdmin(resellerId: number, query: KeyListQuery): Promise<{ rows: AdminKey[]; nextCursor: string | null }>;
  /** `matchCount` is null unless the query asks for it. */
  listOfReseller(
    resellerId: number,
    query: ResellerKeyListQuery,
  ): Promise<{ rows: ResellerKey[]; nextCursor: string | null; matchCount: number | null }>;
  /** Any key, with its devices, its history and who made it. Throws `NOT_FOUND`. */
  openForAdmin(id: number): Promise<AdminKeyDetail>;
  /** Throws `NOT_FOUND`, also for another reseller's key. */
  openForReseller(resellerId: number, id: number): Promise<ResellerKeyDetail>;
  /** Revokes any key that is not revoked. Throws `NOT_FOUND` or `KEY_ALREADY_REVOKED`. */
  revokeAsAdmin(admin: Caller, id: number): Promise<AdminKey>;
  /** Revokes one's own ACTIVE key. Throws `NOT_FOUND`, `KEY_ALREADY_REVOKED` or `KEY_NOT_ACTIVE`. */
  revokeAsReseller(reseller: Caller, id: number): Promise<ResellerKey>;
  /** Frees one slot of one's own ACTIVE key. Throws `NOT_FOUND` or `KEY_NOT_ACTIVE`. */
  removeDevice(reseller: Caller, keyId: number, deviceRowId: number): Promise<void>;
  /** Removes every device from every key, and answers how many keys had any. */
  resetDevices(admin: Caller): Promise<number>;
}

export function createKeys({
  database,
  acts,
  standings,
  now,
}: {
  database: Database;
  acts: Acts;
  standings: Standings;
  now: Now;
}): Keys {
  return {
    async listOfAdmins(query) {
      const { rows, nextCursor, matchCount, at } = await list("admins", query);
      const totalCount = await lists.countKeys(database.scan, { owner: "admins", at });
      return { keys: rows.map((row) => adminKeyView(row, at)), totalCount, matchCount, nextCursor };
    },

    async listForAdmin(resellerId, query) {
      const { rows, nextCursor, at } = await list({ resellerId }, query);
      return { rows: rows.map((row) => adminKeyView(row, at)), nextCursor };
    },

    async listOfReseller(resellerId, query) {
      const { rows, nextCursor, matchCount, at } = await list({ resellerId }, query);
      const asked = query.count === "true";
      return { rows: rows.map((row) => resellerKeyView(row, at)), nextCursor, matchCount: asked ? matchCount : null };
    },

    async openForAdmin(id) {
      const at = now();
      const key = found(await store.keyOf(database.read, "anyone", id));
      const makers = await store.makersOf(database.read, id);
      const connected = await devices.devicesOf(database.read, id);
      const events = await devices.eventsOf(database.read, id);
      return {
        ...adminKeyView(key, at),
        ...makers,
        revokedAt: key.revokedAt === null ? null : isoOf(key.revokedAt),
        devices: connected.map(deviceView),
        history: historyOf({ key, makers, connected, events, at }),
      };
    },

    async openForReseller(resellerId, id) {
      const key = found(await store.keyOf(database.read, { resellerId }, id));
      const connected = await devices.devicesOf(database.read, id);
      const { devices: deviceCount, ...view } = resellerKeyView(key, now());
      return { ...view, deviceCount, devices: connected.map(deviceView) };
    },

    revokeAsAdmin: (admin, id) =>
      changing(admin, id, async (sql) => {
        const at = now();
        const revoked = await store.revokeKey(sql, id, { owner: "anyone", revokedBy: admin.id, at, evenExpired: true });
        const key = found(await store.keyOf(sql, "anyone", id));
        if (!revoked) throw alreadyRevoked();
        const { owner } = await store.makersOf(sql, id);
        const details = { game: key.game, ...(owner !== null && { owner }) };
        return {
          result: adminKeyView(key, at),
          record: { action: "key_revoked", target: keyTarget(key), details },
        };
      }),

    revokeAsReseller: (reseller, id) =>
      changing(reseller, id, async (sql) => {
        const at = now();
        const owner = { resellerId: reseller.id };
        const revoked = await store.revokeKey(sql, id, { owner, revokedBy: reseller.id, at, evenExpired: false });
        const key = found(await store.keyOf(sql, owner, id));
        if (!revoked) throw key.revokedAt === null ? notActive("revoked") : alreadyRevoked();
        const details = { game: key.game, owner: reseller.username };
        return {
          result: resellerKeyView(key, at),
          record: { action: "key_revoked", target: keyTarget(key), details },
        };
      }),

    removeDevice: (reseller, keyId, deviceRowId) =>
      changing(reseller, keyId, async (sql) => {
        const at = now();
        const key = found(await store.keyOf(sql, { resellerId: reseller.id }, keyId));
        if (statusOf(key, at) !== "ACTIVE") throw notActive("changed");
        const deviceId = await devices.removeDevice(sql, { keyId, deviceRowId, madeBy: reseller.id, at });
        if (deviceId === null) throw new Refusal("NOT_FOUND", "The key has no such device.");
        const record = { action: "device_removed", target: keyTarget(key), details: { deviceId } } as const;
        return { result: undefined, record };
      }),

    resetDevices: (admin) =>
      standings.changingAll(() =>
        acts.carryOut(admin, async (sql) => {
          const keys = await devices.resetAllDevices(sql, admin.id, now());
          const record = { action: "devices_reset", target: "all keys", details: { keys } } as const;
          return { result: keys, record: keys > 0 ? record : null };
        }),
      ),
  };

  function changing<Result>(caller: Caller, keyId: number, work: (sql: Sql) => Promise<Done<Result>>): Promise<Result> {
    return standings.changing(keyId, () => acts.carryOut(caller, work));
  }

  async function list(owner: lists.KeyFilter["owner"], query: KeyListQuery) {
    const { filter, matchCount } = await filterOf(owner, query);
    const sort = query.sort ?? "created";
    const descending = (query.order ?? (sort === "key" ? "asc" : "desc")) === "desc";
    const mark = filter.search?.close ? closeMark : "";
    const page = pageOf({ ...query, cursor: query.cursor?.slice(mark.length) || query.cursor }, isSortCursor);
    const rows = await lists.listKeys(database.scan, filter, { sort, descending }, page, matchCount);
    const shown = pageOfRows(rows, page.limit, (last) => [lists.sortValueOf(last, sort), last.id]);
    const nextCursor = shown.nextCursor && mark + shown.nextCursor;
    return { rows: shown.rows, nextCursor, matchCount, at: filter.at };
  }

  /** Where no key of the owner has the text that is searched for, whatever the other filters, look-alikes are shown. */
  async function filterOf(owner: lists.KeyFilter["owner"], { search, game, status, cursor }: KeyListQuery) {
    const text = nonBlank(search);
    const filter: lists.KeyFilter = {
      owner,
      search: text === undefined ? undefined : { text, close: cursor?.startsWith(closeMark) ?? false },
      game: game === "all" ? undefined : game,
      status: status === "all" ? undefined : status,
      at: now(),
    };
    const matchCount = await lists.countKeys(database.scan, filter);
    const isFound = text === undefined || matchCount > 0 || cursor !== undefined;
    if (isFound || (await lists.hasKeyWith(database.scan, owner, text))) return { filter, matchCount };
    const close = { ...filter, search: { text, close: true } };
    return { filter: close, matchCount: await lists.countKeys(database.scan, close) };
  }
}

/** Begins the cursor of a list of look-alikes: they go on, also where a key was made meanwhile that has the very text. */
const closeMark = "~";

function found<Row>(row: Row | null): Row {
  if (row === null) throw new Refusal("NOT_FOUND", "There is no such key.");
  return row;
}

function alreadyRevoked(): Refusal {
  return new Refusal("KEY_ALREADY_REVOKED", "The key is already revoked.");
}

function notActive(done: string): Refusal {
  return new Refusal("KEY_NOT_ACTIVE", `Only an active key can be ${done}.`);
}
