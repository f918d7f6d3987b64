import { rowsPerPage, type View } from "./actions.ts";
import { endOf, msPerDay, msPerHour, startOf } from "./life.ts";
import {
  adminId,
  type Block,
  balanceTenths,
  eventText,
  type Intervention,
  type Key,
  nameOf,
  type Order,
  type Reseller,
  refundTenths,
  type State,
  settled,
  statusOf,
} from "./state.ts";

/** The part of a view's response that the model knows, or `null` if the account may not see it. */
export function expectedView(
  state: State,
  account: number,
  { list, of, isPage }: View,
  at: number,
  body: unknown,
): unknown {
  const page = <Row>(rows: Row[]) => (isPage ? rows.slice(0, rowsPerPage) : rows);
  const isAdmin = account === adminId;
  const owner = isAdmin ? (of ?? null) : account;
  const isMissing = isAdmin && of !== undefined && !state.resellers.has(of);
  const keys = [...state.keys.values()];
  const mayOpen = (thing: Key | Order | undefined) => thing !== undefined && (isAdmin || thing.owner === account);
  switch (list) {
    case "resellers":
      return page(newestFirst(state.resellers.values())).map((reseller) => resellerView(state, reseller));
    case "tokens":
      return page(newestFirst(state.tokens.values())).map(({ id, text: token, tenths, usedBy }) => {
        return { id, token, credits: tenths / 10, usedBy, isUsed: usedBy !== null };
      });
    case "stats":
      return {
        totalResellers: state.resellers.size,
        activeKeys: keys.filter((key) => statusOf(key, at) === "ACTIVE").length,
        availableTokens: [...state.tokens.values()].filter(({ usedBy }) => usedBy === null).length,
        totalAdminKeys: keys.filter((key) => key.owner === null).length,
      };
    case "profile": {
      const { username, credits } = resellerView(state, state.resellers.get(account) as Reseller);
      return { username, credits };
    }
    case "keys": {
      if (isMissing) return null;
      const owned = latestFirst(keys.filter((key) => key.owner === owner));
      const shown = page(owned).map((key) => keyView(key, account, at));
      return owner === null ? { keys: shown, totalCount: owned.length, matchCount: owned.length } : shown;
    }
    case "orders": {
      const orders = [...state.orders.values()].filter((order) => order.owner === owner);
      return isMissing ? null : page(latestFirst(orders)).map(orderView);
    }
    case "ledger":
      return isMissing ? null : page(ledgerView(state.resellers.get(owner as number) as Reseller));
    case "key": {
      const key = state.keys.get(of as number) as Key;
      if (!mayOpen(key)) return null;
      const devices = key.devices.map(({ deviceId, id }) => (id === null ? { deviceId } : { deviceId, id }));
      const refund = refundTenths(state, key, at) / 10;
      return { ...keyView(key, account, at), deviceCount: devices.length, devices, refund };
    }
    case "answer": {
      const key = state.keys.get(of as number);
      return key && mayOpen(key) ? { answer: { code: newcomerCode(key, at) } } : null;
    }
    case "timeline": {
      const key = state.keys.get(of as number);
      return key && mayOpen(key) ? { events: eventsView(state, settled(key, at), body) } : null;
    }
    case "blocks":
      return newestFirst([...state.blocks.values()].filter((block) => block.owner === owner)).map(blockView);
    case "interventions":
      return newestFirst(state.interventions.values()).map(interventionView);
    case "search": {
      const key = state.keys.get(of as number);
      return { keys: key && mayOpen(key) ? [{ id: key.id, keyString: key.text }] : [] };
    }
    case "order": {
      const order = state.orders.get(of as number) as Order;
      if (!mayOpen(order)) return null;
      const ofOrder = keys.filter(({ orderId }) => orderId === of).sort((a, b) => a.id - b.id);
      return { ...orderView(order), keys: ofOrder.map((key) => keyView(key, account, at)) };
    }
  }
}

export function resellerView(state: State, reseller: Reseller) {
  const { id, username, isActive, suspensionReason } = reseller;
  const totalKeys = [...state.keys.values()].filter(({ owner }) => owner === id).length;
  return { id, username, isActive, suspensionReason, credits: balanceTenths(reseller) / 10, totalKeys };
}

/** A key in a list. The device count has different names for admins and resellers. */
export function keyView(key: Key, account: number, at: number): Record<string, unknown> {
  const { id, text: keyString, game, deviceLimit, orderId, replacedBy, note, revokedBy, devices } = key;
  const view = { id, keyString, game, deviceLimit, orderId, replacedBy, note, status: statusOf(key, at) };
  const count =
    account === adminId ? { deviceCount: devices.length, isRevoked: revokedBy !== null } : { devices: devices.length };
  return { ...view, ...timeView(settled(key, at), account), ...count };
}

function timeView({ isFirstUse, durationHours, life }: Key, account: number) {
  const [start, end] = [startOf(life), endOf(life)];
  const dates = { startedAt: isoOf(start), expiryDate: isoOf(end), pausedAt: isoOf(life.pause?.from ?? null) };
  const view = { starts: isFirstUse ? "first_use" : "creation", durationHours, ...dates };
  // The days that a running key has left depend on the exact instant.
  if (account !== adminId || (end !== null && life.pause === null)) return view;
  const leftMs = end === null ? (durationHours as number) * msPerHour : end - (life.pause?.from as number);
  return { ...view, daysRemaining: Math.max(0, Math.ceil(leftMs / msPerDay)) };
}

export function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export function orderView({ id, game, deviceLimit, days, isFirstUse, durationHours, count, costTenths, note }: Order) {
  const time = { starts: isFirstUse ? "first_use" : "creation", durationHours };
  return { id, game, deviceLimit, days, ...time, count, cost: costTenths / 10, note };
}

export function blockView({ owner: _, ...block }: Block) {
  return block;
}

function interventionView({ id, kind, scope, hours, since, reason, count, done, isUndone }: Intervention) {
  const state = isUndone ? "undone" : "finished";
  return { id, kind, scope, hours, since: isoOf(since), reason, by: "admin", count, done, state };
}

interface TimelineEvent {
  at: string;
  kind: string;
  by: string | null;
  deviceId: string | null;
  count: number | null;
}

/**
 * The model does not keep times: the response must contain the same events, newest first. Refused verifications are recorded
 * asynchronously, so they are ignored.
 */
function eventsView(state: State, key: Key, body: unknown): unknown {
  const revocation = key.replacedBy === null ? "revoked" : "replaced";
  const expected = [
    eventText("created", nameOf(state, key.owner)),
    ...key.devices.map(({ deviceId }) => eventText("device_connected", null, deviceId)),
    ...key.history,
    ...(key.revokedBy === null ? [] : [eventText(revocation, nameOf(state, key.revokedBy))]),
  ];
  const events = (body as { events?: TimelineEvent[] } | null)?.events ?? [];
  const recorded = events.filter(({ kind }) => kind !== "refused");
  const isNewestFirst = recorded.every(({ at }, index) => index === 0 || at <= (recorded[index - 1]?.at ?? ""));
  const texts = recorded.map(({ kind, by, deviceId, count }) => eventText(kind, by, deviceId, count));
  const isSame = isNewestFirst && differenceOf(expected.sort(), texts.sort()) === null;
  return isSame ? events : expected;
}

/** Newest first, with the balance after each row. */
function ledgerView({ ledger }: Reseller) {
  let balance = 0;
  const rows = ledger.map(({ reason, amountTenths, orderId, keyId = null, by, note }) => {
    balance += amountTenths;
    return { reason, amount: amountTenths / 10, balance: balance / 10, orderId, keyId, by, note };
  });
  return rows.reverse();
}

function latestFirst<Thing extends { id: number; createdAt: number }>(things: Iterable<Thing>): Thing[] {
  return newestFirst(things).sort((a, b) => b.createdAt - a.createdAt);
}

function newestFirst<Thing extends { id: number }>(things: Iterable<Thing>): Thing[] {
  return [...things].sort((a, b) => b.id - a.id);
}

/** The verdict for a device that is not connected. */
function newcomerCode(key: Key, at: number) {
  const status = statusOf(key, at);
  if (status !== "ACTIVE") return status;
  return key.devices.length < key.deviceLimit ? "VALID" : "DEVICE_LIMIT_REACHED";
}

/** Describes the first difference from what was expected, or returns `null` if everything expected is present. */
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
