import { type AuditedChanges, type Caller, happened } from "../accounts/audited-changes.ts";
import { type Role, resellerIdOf, type SessionUser } from "../accounts/schema.ts";
import { filteredGame } from "../catalogue/offers.ts";
import { isoOf, isoOrNull, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { type NoteForm, nonBlank } from "../core/field.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import { isInstantCursor, listOf } from "../db/paging.ts";
import { orderTarget } from "../facts/reseller-facts.ts";
import type { Refunds } from "../keys/life/refund.ts";
import { keysPerOrderShown } from "../keys/limits.ts";
import { adminKeyView, resellerKeyView, startOf } from "../keys/model.ts";
import { countUnused, keysOfOrder, ownerFor, revokeUnused } from "../keys/store.ts";
import type {
  AdminOrder,
  AdminOrderDetail,
  Order,
  OrderListQuery,
  ResellerOrderDetail,
  UnusedRevocation,
} from "./schema.ts";
import * as store from "./store.ts";

type ListOwner = store.OrderFilter["owner"];

export type Orders = ReturnType<typeof createOrders>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  refunds: Refunds;
  now: Now;
}

/**
 * What happens to orders after `purchase.ts` has made them. Resellers have only their own: any other is `NOT_FOUND`.
 */
export function createOrders({ database, changes, refunds, now }: Dependencies) {
  return {
    /** Newest first. */
    list: async <View>(caller: Caller, owner: ListOwner, query: OrderListQuery, list: OrderList<View>) =>
      list.read(database, caller, await filterOf(database.read, owner, query), query),

    async openForReseller(resellerId: number, id: number): Promise<ResellerOrderDetail> {
      const at = now();
      const order = found(await store.orderOf(database.read, { resellerId }, id));
      const keys = await keysOfOrder(database.read, id, keysPerOrderShown);
      return { ...orderView(order), keys: keys.map((key) => resellerKeyView(key, at)) };
    },

    async openForAdmin(id: number): Promise<AdminOrderDetail> {
      const at = now();
      const order = found(await store.orderOf(database.read, "anyone", id));
      const keys = await keysOfOrder(database.read, id, keysPerOrderShown);
      const { resellerId, reseller: username } = order;
      const reseller = resellerId === null || username === null ? null : { id: resellerId, username };
      return { ...adminOrderView(order), reseller, keys: keys.map((key) => adminKeyView(key, at)) };
    },

    /** The role of the order's owner, or null if the viewer may not open it. */
    async ownerRoleOf(viewer: SessionUser, id: number): Promise<Role | null> {
      const order = await store.orderOf(database.read, ownerFor(viewer), id);
      if (order === null) return null;
      return order.resellerId === null ? "admin" : "reseller";
    },

    /** Notes one's own order; as an admin an order of the admins. Throws `NOT_FOUND`. */
    note: <View>(caller: Caller, id: number, form: NoteForm, view: (row: store.OrderRow) => View): Promise<View> =>
      changes.carryOut(caller, async ({ sql }) => {
        const owner = caller.role === "admin" ? "admins" : { resellerId: resellerIdOf(caller) };
        const changed = await store.noteOrder(sql, id, owner, nonBlank(form.note) ?? null);
        const result = view(found(await store.orderOf(sql, owner, id)));
        const record = { action: "note_changed", target: orderTarget(id), details: {} } as const;
        return { result, record: changed ? record : null };
      }),

    /**
     * Revokes the ACTIVE and PAUSED keys of an order on which no device is connected. If they are not `count`, throws
     * `COUNT_CHANGED` before anything is written: people revoke only what they have seen.
     */
    revokeUnused: (caller: Caller, id: number, { count }: UnusedRevocation) =>
      changes.carryOut(caller, async (unit, at) => {
        const { game, reseller, resellerId } = found(await store.orderOf(unit.sql, ownerFor(caller), id));
        const unused = await countUnused(unit.sql, id, at);
        if (unused !== count) throw countChanged(unused);
        const ids = await revokeUnused(unit, { orderId: id, revokedBy: caller.id, at });
        const refund = await refunds.give(unit.sql, ids, { madeBy: caller.id, at });
        const owner = resellerId === null || reseller === null ? null : { id: resellerId, username: reseller };
        return happened("key_revoked", { order: { id, game }, owner, ids, refund }, { revokedCount: count, refund });
      }),
  };
}

async function filterOf(sql: Sql, owner: ListOwner, { search, game }: OrderListQuery): Promise<store.OrderFilter> {
  return { owner, search: nonBlank(search), gameId: await filteredGame(sql, game) };
}

function found(row: store.OrderRow | null): store.OrderRow {
  if (row === null) throw new Refusal("NOT_FOUND", "There is no such order.");
  return row;
}

function countChanged(count: number): Refusal {
  const unused = count === 1 ? "1 unused key" : `${count} unused keys`;
  return new Refusal("COUNT_CHANGED", `The order now has ${unused}, so nothing was revoked. Please check again.`);
}

export function orderView(row: store.OrderRow): Order {
  const { id, at, game, deviceLimit, days, durationHours, count, costTenths, note, externalId, saleId } = row;
  const { shopLinkId, shopLinkName } = row;
  const cost = creditsOf(costTenths);
  return {
    ...{
      id,
      kind: kindOf(row),
      at: isoOf(at),
      game,
      deviceLimit,
      days,
      starts: startOf(row),
      durationHours,
      count,
      cost,
      note,
    },
    externalId,
    shopLink: shopLinkId === null || shopLinkName === null ? null : { id: shopLinkId, name: shopLinkName },
    saleId,
    by: row.by,
    undoneAt: isoOrNull(row.undoneAt),
  };
}

function kindOf({ importId }: store.OrderRow): Order["kind"] {
  return importId === null ? "generated" : "import";
}

export function adminOrderView(row: store.OrderRow): AdminOrder {
  return { ...orderView(row), importId: row.importId };
}

type OrderList<View> = ReturnType<typeof listAs<View>>;

function listAs<View>(name: string, view: (row: store.OrderRow) => View) {
  return listOf({
    name,
    isAfter: () => isInstantCursor,
    rowsOf: store.listOrders,
    afterOf: (last) => [last.at, last.id] as [number, number],
    view,
  });
}

export const orderList = listAs("orders as their reseller sees them", orderView);
export const adminOrderList = listAs("orders as admins see them", adminOrderView);
