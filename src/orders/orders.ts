import type { AuditedChanges, Caller } from "../accounts/audited-changes.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { type NoteForm, nonBlank } from "../core/field.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, StreamQuery } from "../db/contract.ts";
import { isInstantCursor, pageOf, pageOfRows, wholeList } from "../db/paging.ts";
import { adminKeyView, resellerKeyView } from "../keys/model.ts";
import { keysOfOrder, revokeUnused } from "../keys/store.ts";
import { orderTarget } from "./purchase.ts";
import type {
  AdminOrder,
  AdminOrderDetail,
  Order,
  OrderListQuery,
  ResellerOrderDetail,
  UnusedRevocation,
} from "./schema.ts";
import * as store from "./store.ts";

type Whole = ReadableStream<Uint8Array<ArrayBuffer>>;

type PageOf<Row> = Promise<{ rows: Row[]; nextCursor: string | null }>;

/** What was generated at once, and what becomes of it. `purchase.ts` makes orders. Another's order is no order: `NOT_FOUND`. */
export interface Orders {
  /** A reseller's own, newest first: page by page, or whole, as JSON that is sent as it is read. */
  ofReseller(resellerId: number, query: OrderListQuery): PageOf<Order>;
  wholeOfReseller(reseller: Caller, query: OrderListQuery): Promise<Whole>;
  /** The same as admins see them: the admins' own, or those of a reseller. */
  forAdmin(owner: ListOwner, query: OrderListQuery): PageOf<AdminOrder>;
  wholeForAdmin(admin: Caller, owner: ListOwner, query: OrderListQuery): Promise<Whole>;
  openForReseller(resellerId: number, id: number): Promise<ResellerOrderDetail>;
  /** Opens anybody's. */
  openForAdmin(id: number): Promise<AdminOrderDetail>;
  /** Whether there is such an order for whoever looks: a reseller has but its own. */
  isThere(viewer: Pick<Caller, "id" | "role">, id: number): Promise<boolean>;
  noteAsReseller(reseller: Caller, id: number, form: NoteForm): Promise<Order>;
  /** Notes an order of the admins. */
  noteAsAdmin(admin: Caller, id: number, form: NoteForm): Promise<AdminOrder>;
  /**
   * Revokes the ACTIVE keys of one's own order on which no device is connected, and answers how many. Throws `COUNT_CHANGED`, and revokes
   * nothing, where they are not as many as was said: nobody revokes what was not seen.
   */
  revokeUnusedAsReseller(reseller: Caller, id: number, form: UnusedRevocation): Promise<number>;
  /** The same of anybody's order. */
  revokeUnusedAsAdmin(admin: Caller, id: number, form: UnusedRevocation): Promise<number>;
}

type ListOwner = store.OrderFilter["owner"];

export function createOrders({
  database,
  changes,
  now,
}: {
  database: Database;
  changes: AuditedChanges;
  now: Now;
}): Orders {
  return {
    ofReseller: (resellerId, query) => page({ resellerId }, query, orderView),
    wholeOfReseller: (reseller, query) => whole(ordersStream, reseller, { resellerId: reseller.id }, query),
    forAdmin: (owner, query) => page(owner, query, adminOrderView),
    wholeForAdmin: (admin, owner, query) => whole(adminOrdersStream, admin, owner, query),

    async openForReseller(resellerId, id) {
      const at = now();
      const order = found(await store.orderOf(database.read, { resellerId }, id));
      const keys = await keysOfOrder(database.read, id);
      return { ...orderView(order), keys: keys.map((key) => resellerKeyView(key, at)) };
    },

    async openForAdmin(id) {
      const at = now();
      const order = found(await store.orderOf(database.read, "anyone", id));
      const keys = await keysOfOrder(database.read, id);
      const { resellerId, reseller: username } = order;
      const reseller = resellerId === null || username === null ? null : { id: resellerId, username };
      return { ...adminOrderView(order), reseller, keys: keys.map((key) => adminKeyView(key, at)) };
    },

    async isThere(viewer, id) {
      const owner = viewer.role === "admin" ? "anyone" : { resellerId: viewer.id };
      return (await store.orderOf(database.read, owner, id)) !== null;
    },

    noteAsReseller: async (reseller, id, form) =>
      orderView(await note(reseller, { resellerId: reseller.id }, id, form)),
    noteAsAdmin: async (admin, id, form) => adminOrderView(await note(admin, "admins", id, form)),

    revokeUnusedAsReseller: (reseller, id, form) => revoke(reseller, { resellerId: reseller.id }, id, form),
    revokeUnusedAsAdmin: (admin, id, form) => revoke(admin, "anyone", id, form),
  };

  async function page<View>(owner: ListOwner, query: OrderListQuery, view: (row: store.OrderRow) => View) {
    const asked = pageOf(query, isInstantCursor);
    const rows = await store.listOrders(database.query, filterOf(owner, query), asked);
    const shown = pageOfRows(rows, asked.limit, (last) => [last.at, last.id]);
    return { rows: shown.rows.map(view), nextCursor: shown.nextCursor };
  }

  function whole(stream: typeof ordersStream, caller: Caller, owner: ListOwner, query: OrderListQuery): Promise<Whole> {
    const { after } = pageOf(query, isInstantCursor);
    return database.stream(stream, { filter: filterOf(owner, query), after }, caller.id);
  }

  function note(caller: Caller, owner: ListOwner, id: number, form: NoteForm): Promise<store.OrderRow> {
    return changes.carryOut(caller, async ({ sql }) => {
      const changed = await store.noteOrder(sql, id, owner, nonBlank(form.note) ?? null);
      const result = found(await store.orderOf(sql, owner, id));
      const record = { action: "note_changed", target: orderTarget(id), details: {} } as const;
      return { result, record: changed ? record : null };
    });
  }

  function revoke(caller: Caller, owner: store.OrderOwner, id: number, { count }: UnusedRevocation): Promise<number> {
    return changes.carryOut(caller, async (unit) => {
      const { game, reseller } = found(await store.orderOf(unit.sql, owner, id));
      const revoked = await revokeUnused(unit, { orderId: id, revokedBy: caller.id, at: now() });
      if (revoked !== count) throw countChanged(revoked);
      const details = { count, game, ...(reseller !== null && { owner: reseller }) };
      return { result: revoked, record: { action: "key_revoked", target: orderTarget(id), details } };
    });
  }
}

function filterOf(owner: ListOwner, { search, game }: OrderListQuery): store.OrderFilter {
  return { owner, search: nonBlank(search), game: game === "all" ? undefined : game };
}

function found(row: store.OrderRow | null): store.OrderRow {
  if (row === null) throw new Refusal("NOT_FOUND", "There is no such order.");
  return row;
}

function countChanged(count: number): Refusal {
  const unused = count === 1 ? "1 unused key" : `${count} unused keys`;
  return new Refusal("COUNT_CHANGED", `The order has ${unused} now, so nothing was revoked. Please look again.`);
}

export function orderView({ id, at, game, deviceLimit, days, count, costTenths, note }: store.OrderRow): Order {
  return { id, at: isoOf(at), game, deviceLimit, days, count, cost: creditsOf(costTenths), note };
}

export function adminOrderView(row: store.OrderRow): AdminOrder {
  return { ...orderView(row), by: row.by };
}

/** A whole list of orders, from `after` on. */
interface WholeOrders {
  filter: store.OrderFilter;
  after: [number, number] | null;
}

export const ordersStream = streamOf("orders as their reseller sees them", orderView);

export const adminOrdersStream = streamOf("orders as admins see them", adminOrderView);

function streamOf(name: string, view: (row: store.OrderRow) => unknown): StreamQuery<WholeOrders> {
  return {
    name,
    pieces: (sql, { filter, after }) =>
      wholeList({
        after,
        rowsOf: (page) => store.listOrders(sql, filter, page),
        afterOf: (last) => [last.at, last.id] as [number, number],
        view,
      }),
  };
}
