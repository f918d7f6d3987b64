import { keyEnd, keyTarget } from "../core/key-text.ts";
import { type Charged, keysIn, type NewEvent } from "./outbox-store.ts";
import { orderTarget } from "./reseller-facts.ts";
import type { Doer, Tellings } from "./telling.ts";

/** A key that was changed, and the reseller whose it is; null for an admin key. */
export interface OfKey {
  key: { id: number; keyString: string; game: string };
  owner: Named | null;
}

interface Named {
  id: number;
  username: string;
}

/** What it cost a reseller, as `charge` returns it; null for admins. */
type Cost = Charged | null;

/** Keys that were revoked: one, or the unused ones of an order. `refund` is in credits. */
type Revoked = { refund: number } & (
  | OfKey
  | { order: { id: number; game: string | null }; owner: Named | null; ids: readonly number[] }
);

export interface KeyFacts {
  key_extended: OfKey & { hours: number; cost: Cost };
  /** `target` names the selection, whose keys belong to `owner` or to the admins. */
  keys_extended: { ids: readonly number[]; target: string; owner: Named | null; hours: number; cost: Cost };
  device_limit_changed: OfKey & { from: number; to: number; cost: Cost };
  key_paused: OfKey;
  key_resumed: OfKey;
  /** `key` as it was before; the old text is now the other key's. The rows of both are its history. */
  key_replaced: OfKey & { keyString: string; replacedKeyId: number };
  key_revoked: Revoked;
  /** The removal has written the key's history, which needs the devices as they were. */
  device_removed: OfKey & { devices: { deviceId: string; name: string | null }[]; isAll: boolean };
}

export const keyTellings: Tellings<KeyFacts> = {
  key_extended: {
    audit: ({ key, owner, hours, cost }, by) => ({
      target: keyTarget(key),
      details: { hours, cost: costOf(cost), ...(by.role === "admin" && ownedBy(owner)) },
    }),
    webhooks: ({ key, owner, cost }, by) => [...lowOf(cost), extended({ keyId: key.id }, owner, cost, by)],
    history: ({ key, hours }) => ({ what: "EXTENDED", ids: [key.id], amount: hours }),
    live: null,
  },
  keys_extended: {
    audit: ({ ids, target, owner, hours, cost }, by) => ({
      target,
      details: {
        count: ids.length,
        hours,
        cost: costOf(cost),
        ...(by.role === "admin" && owner && { resellerId: owner.id }),
      },
    }),
    webhooks: ({ ids, owner, cost }, by) => [...lowOf(cost), extended(keysIn(ids), owner, cost, by)],
    history: ({ ids, hours }) => ({ what: "EXTENDED", ids, amount: hours }),
    live: null,
  },
  device_limit_changed: {
    audit: ({ key, owner, from, to, cost }, by) => ({
      target: keyTarget(key),
      details: { from, to, cost: costOf(cost), ...(by.role === "admin" && ownedBy(owner)) },
    }),
    webhooks: ({ cost }) => lowOf(cost),
    history: ({ key, to }) => ({ what: "LIMIT_CHANGED", ids: [key.id], amount: to }),
    live: null,
  },
  key_paused: {
    audit: ({ key, owner }) => ({ target: keyTarget(key), details: { game: key.game, ...ownedBy(owner) } }),
    webhooks: null,
    history: ({ key }) => ({ what: "PAUSED", ids: [key.id] }),
    live: null,
  },
  key_resumed: {
    audit: ({ key, owner }) => ({ target: keyTarget(key), details: { game: key.game, ...ownedBy(owner) } }),
    webhooks: null,
    history: ({ key }) => ({ what: "RESUMED", ids: [key.id] }),
    live: null,
  },
  key_replaced: {
    audit: ({ key, owner, keyString }) => ({
      target: keyTarget(key),
      details: { end: keyEnd(keyString), ...ownedBy(owner) },
    }),
    webhooks: ({ key, owner, replacedKeyId }, { role, at }) => {
      const data = { keyId: key.id, replacedKeyId, ...byRole(role) };
      return [{ type: "key.replaced", resellerId: owner?.id ?? null, at, data }];
    },
    history: null,
    live: null,
  },
  key_revoked: {
    audit: (revoked) => {
      const { owner, refund } = revoked;
      const game = "order" in revoked ? revoked.order.game : revoked.key.game;
      return {
        target: "order" in revoked ? orderTarget(revoked.order.id) : keyTarget(revoked.key),
        details: {
          ...("order" in revoked && { count: revoked.ids.length }),
          ...(game !== null && { game }),
          ...ownedBy(owner),
          ...(refund > 0 && { refund }),
        },
      };
    },
    webhooks: (revoked, { role, at }) => {
      const { owner, refund } = revoked;
      if ("order" in revoked && revoked.ids.length === 0) return [];
      const amount = refund > 0 ? { amount: refund } : {};
      const data =
        "order" in revoked
          ? { orderId: revoked.order.id, ...byRole(role), ...keysIn(revoked.ids), ...amount }
          : { keyId: revoked.key.id, ...byRole(role), ...amount };
      return [{ type: "key.revoked", resellerId: owner?.id ?? null, at, data }];
    },
    history: null,
    live: null,
  },
  device_removed: {
    audit: ({ key, devices, isAll }) => ({
      target: keyTarget(key),
      details: isAll ? { count: devices.length } : { deviceId: devices[0]?.deviceId },
    }),
    webhooks: ({ key, owner, devices }, { role, at }) =>
      devices.map(({ deviceId, name }) => {
        const data = { keyId: key.id, deviceId, ...(name !== null && { deviceName: name }), ...byRole(role) };
        return { type: "device.released", resellerId: owner?.id ?? null, at, data };
      }),
    history: null,
    live: null,
  },
};

function extended(keys: object, owner: Named | null, cost: Cost, { role, at }: Doer): NewEvent {
  const data = { ...keys, ...byRole(role), ...(cost && { amount: cost.paid.cost, balance: cost.paid.credits }) };
  return { type: "key.extended", resellerId: owner?.id ?? null, at, data };
}

function ownedBy(owner: Named | null) {
  return owner && { owner: owner.username };
}

function byRole(role: Doer["role"]) {
  return role && { by: role };
}

function costOf(cost: Cost): number {
  return cost?.paid.cost ?? 0;
}

function lowOf(cost: Cost): NewEvent[] {
  return cost && cost.paid.cost > 0 ? [cost.low] : [];
}
