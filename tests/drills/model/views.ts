import { rowsPerPage, type View } from "./acts.ts";
import {
  adminId,
  balanceTenths,
  eventText,
  type Key,
  nameOf,
  type Order,
  type Reseller,
  statusOf,
  type World,
} from "./world.ts";

/** What somebody who looks is to be shown: as much of the answer as the model knows, or `null` where there is nothing for them. */
export function shownIn(world: World, account: number, { list, of, isPage }: View, at: number, body: unknown): unknown {
  const page = <Row>(rows: Row[]) => (isPage ? rows.slice(0, rowsPerPage) : rows);
  const isAdmin = account === adminId;
  const owner = isAdmin ? (of ?? null) : account;
  const isMissing = isAdmin && of !== undefined && !world.resellers.has(of);
  const keys = [...world.keys.values()];
  const mayOpen = (thing: Key | Order | undefined) => thing !== undefined && (isAdmin || thing.owner === account);
  switch (list) {
    case "resellers":
      return page(newestFirst(world.resellers.values())).map((reseller) => resellerView(world, reseller));
    case "tokens":
      return page(newestFirst(world.tokens.values())).map(({ id, text: token, tenths, usedBy }) => {
        return { id, token, credits: tenths / 10, usedBy, isUsed: usedBy !== null };
      });
    case "stats":
      return {
        totalResellers: world.resellers.size,
        activeKeys: keys.filter((key) => statusOf(key, at) === "ACTIVE").length,
        availableTokens: [...world.tokens.values()].filter(({ usedBy }) => usedBy === null).length,
        totalAdminKeys: keys.filter((key) => key.owner === null).length,
      };
    case "profile": {
      const { username, credits } = resellerView(world, world.resellers.get(account) as Reseller);
      return { username, credits };
    }
    case "keys": {
      if (isMissing) return null;
      const owned = newestFirst(keys.filter((key) => key.owner === owner));
      const shown = page(owned).map((key) => keyView(key, account, at));
      return owner === null ? { keys: shown, totalCount: owned.length, matchCount: owned.length } : shown;
    }
    case "orders": {
      const orders = [...world.orders.values()].filter((order) => order.owner === owner);
      return isMissing ? null : page(newestFirst(orders)).map(orderView);
    }
    case "ledger":
      return isMissing ? null : page(ledgerView(world.resellers.get(owner as number) as Reseller));
    case "key": {
      const key = world.keys.get(of as number) as Key;
      if (!mayOpen(key)) return null;
      const devices = key.devices.map(({ deviceId, id }) => (id === null ? { deviceId } : { deviceId, id }));
      return { ...keyView(key, account, at), deviceCount: devices.length, devices };
    }
    case "answer": {
      const key = world.keys.get(of as number);
      return key && mayOpen(key) ? { answer: { code: newcomerCode(key, at) } } : null;
    }
    case "timeline": {
      const key = world.keys.get(of as number);
      return key && mayOpen(key) ? { events: eventsView(world, key, body) } : null;
    }
    case "search": {
      const key = world.keys.get(of as number);
      return { keys: key && mayOpen(key) ? [{ id: key.id, keyString: key.text }] : [] };
    }
    case "order": {
      const order = world.orders.get(of as number) as Order;
      if (!mayOpen(order)) return null;
      const ofOrder = keys.filter(({ orderId }) => orderId === of).sort((a, b) => a.id - b.id);
      return { ...orderView(order), keys: ofOrder.map((key) => keyView(key, account, at)) };
    }
  }
}

export function resellerView(world: World, reseller: Reseller) {
  const { id, username, isActive, suspensionReason } = reseller;
  const totalKeys = [...world.keys.values()].filter(({ owner }) => owner === id).length;
  return { id, username, isActive, suspensionReason, credits: balanceTenths(reseller) / 10, totalKeys };
}

/** A key in a list: its reseller is told the count of its devices by another name than an admin. */
export function keyView(key: Key, account: number, at: number): Record<string, unknown> {
  const { id, text: keyString, game, deviceLimit, orderId, note, revokedBy, devices } = key;
  const view = { id, keyString, game, deviceLimit, orderId, note, status: statusOf(key, at) };
  const expiryDate = new Date(key.expiresAt).toISOString();
  const count =
    account === adminId ? { deviceCount: devices.length, isRevoked: revokedBy !== null } : { devices: devices.length };
  return { ...view, expiryDate, ...count };
}

export function orderView({ id, game, deviceLimit, days, count, costTenths, note }: Order) {
  return { id, game, deviceLimit, days, count, cost: costTenths / 10, note };
}

interface ToldEvent {
  at: string;
  kind: string;
  by: string | null;
  deviceId: string | null;
  count: number | null;
}

/**
 * The model keeps no instants: an answer that names the same events, newest first, is as it should be. Refusals are gathered beside, and come
 * late or never.
 */
function eventsView(world: World, key: Key, body: unknown): unknown {
  const expected = [
    eventText("created", nameOf(world, key.owner)),
    ...key.devices.map(({ deviceId }) => eventText("device_connected", null, deviceId)),
    ...key.history,
    ...(key.revokedBy === null ? [] : [eventText("revoked", nameOf(world, key.revokedBy))]),
  ];
  const events = (body as { events?: ToldEvent[] } | null)?.events ?? [];
  const told = events.filter(({ kind }) => kind !== "refused");
  const isNewestFirst = told.every(({ at }, index) => index === 0 || at <= (told[index - 1]?.at ?? ""));
  const texts = told.map(({ kind, by, deviceId, count }) => eventText(kind, by, deviceId, count));
  const isSame = isNewestFirst && differenceOf(expected.sort(), texts.sort()) === null;
  return isSame ? events : expected;
}

/** Newest first, with the balance after each row. */
function ledgerView({ ledger }: Reseller) {
  let balance = 0;
  const rows = ledger.map(({ reason, amountTenths, orderId, by, note }) => {
    balance += amountTenths;
    return { reason, amount: amountTenths / 10, balance: balance / 10, orderId, by, note };
  });
  return rows.reverse();
}

function newestFirst<Thing extends { id: number }>(things: Iterable<Thing>): Thing[] {
  return [...things].sort((a, b) => b.id - a.id);
}

/** What a device that is not connected would be told. */
function newcomerCode(key: Key, at: number) {
  const status = statusOf(key, at);
  if (status !== "ACTIVE") return status;
  return key.devices.length < key.deviceLimit ? "VALID" : "DEVICE_LIMIT_REACHED";
}

/** Where an answer is not what it was expected to be, in words; `null` where all that was expected is there. */
export function differenceOf(expected: unknown, actual: unknown, path = "body"): string | null {
  if (Array.isArray(expected)) {
    const length = Array.isArray(actual) ? actual.length : "no list";
    if (length !== expected.length) return `${path} has ${length} entries, not ${expected.length}`;
  } else if (typeof expected !== "object" || expected === null) {
    return Object.is(expected, actual) ? null : `${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
  }
  if (typeof actual !== "object" || actual === null) return `${path} is ${JSON.stringify(actual)}`;
  for (const [name, value] of Object.entries(expected)) {
    const difference = differenceOf(value, actual[name as keyof typeof actual], `${path}.${name}`);
    if (difference !== null) return difference;
  }
  return null;
}
