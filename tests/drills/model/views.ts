import { rowsPerPage, type View } from "./acts.ts";
import { adminId, balanceTenths, type Key, type Order, type Reseller, statusOf, type World } from "./world.ts";

/** What somebody who looks is to be shown: as much of the answer as the model knows, or `null` where there is nothing for them. */
export function shownIn(world: World, account: number, { list, of, isPage }: View, at: number): unknown {
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
    case "order": {
      const order = world.orders.get(of as number) as Order;
      if (!mayOpen(order)) return null;
      const ofOrder = keys.filter(({ orderId }) => orderId === of).sort((a, b) => a.id - b.id);
      return { ...orderView(order), keys: ofOrder.map((key) => keyView(key, account, at)) };
    }
  }
}

export function resellerView(world: World, reseller: Reseller) {
  const { id, username, isActive } = reseller;
  const totalKeys = [...world.keys.values()].filter(({ owner }) => owner === id).length;
  return { id, username, isActive, credits: balanceTenths(reseller) / 10, totalKeys };
}

/** A key in a list: its reseller is told the count of its devices by another name than an admin. */
export function keyView(key: Key, account: number, at: number): Record<string, unknown> {
  const { id, text: keyString, game, deviceLimit, orderId, note, isRevoked, devices } = key;
  const view = { id, keyString, game, deviceLimit, orderId, note, status: statusOf(key, at) };
  const expiryDate = new Date(key.expiresAt).toISOString();
  const count = account === adminId ? { deviceCount: devices.length, isRevoked } : { devices: devices.length };
  return { ...view, expiryDate, ...count };
}

export function orderView({ id, game, deviceLimit, days, count, costTenths, note }: Order) {
  return { id, game, deviceLimit, days, count, cost: costTenths / 10, note };
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
