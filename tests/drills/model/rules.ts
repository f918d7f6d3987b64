import type { KeyOrder } from "./actions.ts";
import { blockRules, isBlockedFor } from "./block-rules.ts";
import { putReseller, revoked, revokedAll, withLedgerRow } from "./credits.ts";
import { endOf, msPerDay, msPerHour, started, startOf, unstarted } from "./life.ts";
import { changedKey, type Observation, type Outcome, ownKey, type Rules, refused, refusedAs } from "./outcome.ts";
import { hoursOf, priceTenths } from "./prices.ts";
import { type Retryable, remembering, retried } from "./remembered.ts";
import { replacementRules } from "./replacement-rules.ts";
import { notedKey, selectionRules } from "./selection-rules.ts";
import {
  adminId,
  balanceTenths,
  eventText,
  findKey,
  findReseller,
  isOpen,
  type Key,
  nameOf,
  type Order,
  put,
  putAll,
  type Reseller,
  type State,
  settled,
  statusOf,
  withEvents,
  without,
} from "./state.ts";
import { interventionRules } from "./sweeps.ts";
import { isDearer, isShort, refusalsOf, timeRules } from "./time-rules.ts";
import { expectedView, isoOf, keyView, orderView, resellerView } from "./views.ts";

export const rules: Rules = {
  issueToken: (state, { credits }, { body }) => {
    const { id, token: text } = body?.token ?? {};
    const token = { id, text, tenths: Math.round(credits * 10), usedBy: null };
    const isNew = !state.tokens.has(id) && text?.length >= 20;
    const next = () => (isNew ? { ...state, tokens: put(state.tokens, id, token) } : null);
    return { status: 201, body: { token: { credits, usedBy: null, isUsed: false } }, next };
  },

  takeBackToken: (state, { token: id }) => {
    const token = state.tokens.get(id);
    if (!token) return refused(state, 404, "NOT_FOUND");
    if (token.usedBy !== null) return refused(state, 409, "TOKEN_USED");
    return { status: 200, next: () => ({ ...state, tokens: without(state.tokens, (_, other) => other === id) }) };
  },

  register: (state, { token: text, username }, { body }) => {
    const token = [...state.tokens.values()].find((one) => one.text === text);
    if (!token) return refused(state, 422, "TOKEN_UNKNOWN");
    const isTaken = findReseller(state, username) !== undefined;
    // With two errors at once, either may be reported.
    if (token.usedBy !== null) return refused(state, 409, "TOKEN_USED", ...(isTaken ? ["USERNAME_TAKEN"] : []));
    if (isTaken) return refused(state, 409, "USERNAME_TAKEN");
    const row = { reason: "token_bonus" as const, amountTenths: token.tenths, orderId: null, by: username, note: null };
    const reseller = {
      id: body?.user?.id,
      username,
      isActive: true,
      suspensionReason: null,
      ledger: token.tenths > 0 ? [row] : [],
    };
    const next = () => ({
      ...state,
      resellers: put(state.resellers, reseller.id, reseller),
      tokens: put(state.tokens, token.id, { ...token, usedBy: username }),
    });
    return { status: 201, body: { user: { username, role: "reseller" } }, next };
  },

  signIn: (state, { username }, { cookie, before, body }) => {
    const reseller = findReseller(state, username);
    if (!reseller) return refused(state, 401, "WRONG_CREDENTIALS");
    const { id, isActive } = reseller;
    // A reseller who is suspended between the password check and the session's creation gets WRONG_CREDENTIALS.
    const wasActive = before.resellers.get(id)?.isActive ?? true;
    if (!isActive && wasActive && body?.code === "WRONG_CREDENTIALS") return refused(state, 401, "WRONG_CREDENTIALS");
    if (!isActive) return refused(state, 403, "SUSPENDED");
    return { status: 200, next: () => ({ ...state, sessions: put(state.sessions, cookie, id) }) };
  },

  signOut: (state, { by }) => {
    return { status: 200, next: () => ({ ...state, sessions: without(state.sessions, (_, cookie) => cookie === by) }) };
  },

  grant: (state, { reseller: id, amount, note }) => {
    const reseller = state.resellers.get(id);
    if (!reseller) return refused(state, 404, "NOT_FOUND");
    const row = {
      reason: "admin_grant" as const,
      amountTenths: amount * 10,
      orderId: null,
      by: "admin",
      note: note?.trim() || null,
    };
    const next = putReseller(state, withLedgerRow(reseller, row));
    return { status: 200, body: { reseller: resellerView(next, withLedgerRow(reseller, row)) }, next: () => next };
  },

  setActive: (state, { reseller: id, isActive, reason }) => {
    const reseller = state.resellers.get(id);
    if (!reseller) return refused(state, 404, "NOT_FOUND");
    const sessions = isActive ? state.sessions : without(state.sessions, (account) => account === id);
    // The reason belongs to the suspension: suspending again does not change it.
    const why = isActive === reseller.isActive ? reseller.suspensionReason : (reason ?? null);
    const changed = { ...reseller, isActive, suspensionReason: isActive ? null : why };
    const next = { ...putReseller(state, changed), sessions };
    return { status: 200, body: { reseller: resellerView(next, changed) }, next: () => next };
  },

  retire: (state, { game, isRetired }) => {
    const others = state.retired.filter((name) => name !== game);
    const next = () => ({ ...state, retired: isRetired ? [...others, game].sort() : others });
    return { status: 200, body: { name: game, isRetired }, next };
  },

  generate: (state, { by, order, idempotencyKey, cost }, observation) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const reseller = state.resellers.get(account);
    const hours = reseller ? hoursOf(order) : null;
    if (reseller && hours === null) return refused(state, 422, "INVALID_DAY_TIER");
    const retry = { account, idempotencyKey, request: JSON.stringify(order) };
    const earlier = retried(state, retry, { at: observation.at, status: 201 });
    if (earlier) return earlier;
    const price = hours === null ? 0 : priceTenths(order.game, hours, order.deviceLimit);
    const costTenths = (price ?? 0) * order.count;
    const refusals = refusalsOf([
      [order.expiresAt !== undefined && order.expiresAt <= observation.at, 422, "INVALID"],
      [price === null || state.retired.includes(order.game), 422, "NOT_SOLD"],
      [order.keyString !== undefined && findKey(state, order.keyString) !== undefined, 409, "KEY_TAKEN"],
      [isDearer(cost, price && costTenths), 409, "COST_CHANGED"],
      [isShort(reseller, price && costTenths), 402, "CREDITS_SHORT"],
    ]);
    if (refusals.length > 0) return refusedAs(state, ...refusals);
    return generateKeys(state, { account, reseller, order, hours, costTenths, retry }, observation);
  },

  revoke: (state, { by, key: id }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const key = ownKey(state, account, id);
    if (!key) return refused(state, 404, "NOT_FOUND");
    if (key.revokedBy !== null) return refused(state, 409, "KEY_ALREADY_REVOKED");
    if (account !== adminId && statusOf(key, at) === "EXPIRED") return refused(state, 409, "KEY_NOT_ACTIVE");
    const { state: after, refunded } = revoked(state, key, account, at);
    const body = { key: keyView(after.keys.get(id) as Key, account, at), refund: refunded / 10 };
    return { status: 200, body, next: () => after };
  },

  revokeUnused: (state, { by, order: id, count }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const order = state.orders.get(id);
    if (!order || (account !== adminId && order.owner !== account)) return refused(state, 404, "NOT_FOUND");
    const unused = [...state.keys.values()].filter(
      (key) => key.orderId === id && key.devices.length === 0 && isOpen(key, at),
    );
    if (unused.length !== count) return refused(state, 409, "COUNT_CHANGED");
    const { state: after, refunded } = revokedAll(state, unused, account, at);
    return { status: 200, body: { revokedCount: count, refund: refunded / 10 }, next: () => after };
  },

  note: (state, { by, on, id, note: text }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const thing = state[on].get(id);
    // Only the owner may change a note. Admins own the keys and orders without an owner.
    if (!thing || thing.owner !== (account === adminId ? null : account)) return refused(state, 404, "NOT_FOUND");
    const noted = { ...thing, note: text.trim() || null };
    if (on === "keys") return changedKey(state, notedKey(state, thing as Key, text, account), account, at);
    const next = () => ({ ...state, orders: put(state.orders, id, noted as Order) });
    return { status: 200, body: { order: orderView(noted as Order) }, next };
  },

  removeDevice: (state, { by, key: id, device }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const key = state.keys.get(id);
    if (!key || (account !== adminId && key.owner !== account)) return refused(state, 404, "NOT_FOUND");
    if (statusOf(key, at) !== "ACTIVE") return refused(state, 409, "KEY_NOT_ACTIVE");
    const removed = key.devices.filter((connected) => device === "all" || connected.id === device);
    if (removed.length === 0 && device !== "all") return refused(state, 404, "NOT_FOUND");
    const events = removed.flatMap(({ deviceId }) => [
      eventText("device_connected", null, deviceId),
      eventText("device_removed", nameOf(state, account), deviceId),
    ]);
    const devices = key.devices.filter((connected) => !removed.includes(connected));
    const changed = withEvents({ ...key, devices }, ...events);
    const body = device === "all" ? { removed: removed.length } : undefined;
    return { status: 200, body, next: () => ({ ...state, keys: put(state.keys, id, changed) }) };
  },

  verify: (state, { isPreview, key: text, game, deviceId }, { at }) => {
    const named = findKey(state, text);
    const isOfGame = named?.game === (game === "LAST ISLAND" ? "LAST ISLAND OF SURVIVAL" : game);
    const key = named && isOfGame ? settled(named, at) : undefined;
    const status = key && statusOf(key, at);
    const isKnown = key?.devices.some((device) => device.deviceId === deviceId);
    const hasRoom = key && key.devices.length < key.deviceLimit;
    const isBlocked = key && isBlockedFor(state, key, deviceId);
    const newcomer = isBlocked ? "DEVICE_BLOCKED" : hasRoom ? "VALID" : "DEVICE_LIMIT_REACHED";
    const good = isKnown ? "VALID" : newcomer;
    const code = key ? (status === "ACTIVE" ? good : status) : "NOT_FOUND";
    const isNewcomer = code === "VALID" && !isKnown;
    const after = key && isNewcomer && !isPreview ? connected(key, deviceId, at) : key;
    const end = after && status !== "PAUSED" ? endOf(after.life) : null;
    const figures = { deviceLimit: after?.deviceLimit ?? null, currentDevices: after?.devices.length ?? null };
    const body = { valid: code === "VALID", code, expiry: isoOf(end), ...figures };
    const next = () => (after && after !== key ? { ...state, keys: put(state.keys, after.id, after) } : state);
    return { status: 200, body: { ...body, ...(isPreview && { canRegister: isNewcomer }) }, next };
  },

  ...timeRules,
  ...replacementRules,
  ...blockRules,
  ...selectionRules,

  ...interventionRules,

  read: (state, { by, view }, { at, before, body }) => {
    // The session is checked before the page is read, and may end in between.
    const account = state.sessions.get(by) ?? before.sessions.get(by);
    const mayBeRefused = !state.sessions.has(by);
    if (account === undefined || (mayBeRefused && body?.code === "NOT_SIGNED_IN")) {
      return refused(state, 401, "NOT_SIGNED_IN");
    }
    const shown = expectedView(state, account, view, at, body);
    if (shown === null) return refused(state, 404, "NOT_FOUND");
    return { status: 200, body: shown, next: () => (view.list === "key" ? withDeviceIds(state, body) : state) };
  },
};

/** The key with another device, the first of which starts it. */
function connected(key: Key, deviceId: string, at: number): Key {
  const used = { ...key, wasUsed: true, devices: [...key.devices, { deviceId, id: null }] };
  if (startOf(key.life) !== null) return used;
  const life = started(key.life, at, (key.durationHours as number) * msPerHour);
  return withEvents({ ...used, life }, eventText("started", null, deviceId));
}

/** A paid order and its keys. Their texts, ids and creation time come from the response. */
function generateKeys(
  state: State,
  bought: {
    account: number;
    reseller: Reseller | undefined;
    order: KeyOrder;
    hours: number | null;
    costTenths: number;
    retry: Retryable;
  },
  { body, from, to }: Observation,
): Outcome {
  const { account, reseller, order, costTenths, retry } = bought;
  const { game, deviceLimit, count } = order;
  const orderId: number = body?.orderId;
  const made: { id: number; keyString: string; createdAt: string }[] = body?.keys ?? [];
  const createdAt = Date.parse(made[0]?.createdAt ?? "");
  const owner = reseller?.id ?? null;
  const isFirstUse = order.starts === "first_use";
  const durationHours = bought.hours ?? order.durationHours ?? null;
  const soldMs = durationHours === null ? (order.expiresAt as number) - createdAt : durationHours * msPerHour;
  const life = isFirstUse ? unstarted : started(unstarted, createdAt, soldMs);
  const keys = made.map(({ id, keyString: text }) => {
    const kept = { id, text, game, deviceLimit, createdAt, isFirstUse, durationHours, life, owner, orderId };
    const none = { replacedBy: null, replacedAt: [], revokedBy: null, note: null };
    return { ...kept, ...none, devices: [], wasUsed: false, history: [] };
  });
  const row = { reason: "key_purchase" as const, amountTenths: -costTenths, orderId, by: reseller?.username ?? "" };
  const paid = reseller && withLedgerRow(reseller, { ...row, note: null });
  const views = keys.map((key) => keyView(key, account, createdAt));
  const custom = order.keyString ? { 0: { keyString: order.keyString } } : {};
  const responseBody = {
    orderId,
    keys: views,
    cost: costTenths / 10,
    ...(paid && { credits: balanceTenths(paid) / 10 }),
  };
  const expected = { ...responseBody, keys: count === keys.length ? views : Array(count).fill({}) };

  const next = () => {
    const texts = new Set([...state.keys.values(), ...keys].map((key) => key.text.toLowerCase()));
    const areNew = texts.size === state.keys.size + count && keys.every(({ id }) => !state.keys.has(id));
    const isTimely = createdAt >= from && createdAt <= to;
    if (state.orders.has(orderId) || !areNew || !isTimely) return null;
    const kept = {
      id: orderId,
      owner,
      game,
      deviceLimit,
      days: Math.floor(soldMs / msPerDay),
      isFirstUse,
      durationHours,
    };
    const placed = { ...kept, count, costTenths, note: null, createdAt };
    const ordered = { ...state, keys: putAll(state.keys, keys), orders: put(state.orders, orderId, placed) };
    const after = paid ? putReseller(ordered, paid) : ordered;
    return remembering(after, retry, { body: responseBody, at: createdAt });
  };
  return { status: 201, body: { ...expected, keys: Object.assign([...expected.keys], custom) }, next };
}

/** Takes the ids of a key's devices from its page. */
function withDeviceIds(state: State, body: { id: number; devices: { id: number; deviceId: string }[] }): State {
  const key = state.keys.get(body.id) as Key;
  const devices = key.devices.map(({ deviceId }, index) => ({ deviceId, id: body.devices[index]?.id ?? null }));
  return { ...state, keys: put(state.keys, key.id, { ...key, devices }) };
}
