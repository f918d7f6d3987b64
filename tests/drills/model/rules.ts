import type { KeyOrder } from "./actions.ts";
import { changedKey, type Observation, type Outcome, type Rules, refused } from "./outcome.ts";
import { notedKey, selectionRules } from "./selection-rules.ts";
import {
  adminId,
  balanceTenths,
  eventText,
  findKey,
  findReseller,
  type Key,
  type LedgerRow,
  nameOf,
  type Order,
  put,
  putAll,
  type Reseller,
  type State,
  statusOf,
  withEvents,
  without,
} from "./state.ts";
import { expectedView, keyView, orderView, resellerView } from "./views.ts";

const msPerDay = 86_400_000;

/** How long a retry returns the first response. */
const rememberedMs = msPerDay;

const pricesTenths: Record<number, number> = { 5: 5, 10: 10, 20: 20, 30: 30, 60: 60 };

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

  generate: (state, { by, order, idempotencyKey }, observation) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const price = account === adminId ? 0 : pricesTenths[order.days as number];
    if (price === undefined) return refused(state, 422, "INVALID_DAY_TIER");
    const retry = `${account} ${idempotencyKey}`;
    const request = JSON.stringify(order);
    const remembered = idempotencyKey === null ? undefined : state.idempotentResponses.get(retry);
    const earlier = remembered && remembered.forgottenAt > observation.at ? remembered : undefined;
    if (earlier && earlier.request !== request) return refused(state, 422, "IDEMPOTENCY_KEY_REUSED");
    if (earlier) return { status: 201, body: earlier.body, next: () => state };
    if (order.expiresAt !== undefined && order.expiresAt <= observation.at) return refused(state, 422, "INVALID");
    if (order.keyString && findKey(state, order.keyString)) return refused(state, 409, "KEY_TAKEN");
    const reseller = state.resellers.get(account);
    const costTenths = price * order.count;
    if (reseller && balanceTenths(reseller) < costTenths) return refused(state, 402, "CREDITS_SHORT");
    return generateKeys(state, { account, reseller, order, costTenths }, observation, (next, body, createdAt) => {
      if (idempotencyKey === null) return next;
      const response = { request, body, forgottenAt: createdAt + rememberedMs };
      return { ...next, idempotentResponses: put(next.idempotentResponses, retry, response) };
    });
  },

  revoke: (state, { by, key: id }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const key = state.keys.get(id);
    if (!key || (account !== adminId && key.owner !== account)) return refused(state, 404, "NOT_FOUND");
    if (key.revokedBy !== null) return refused(state, 409, "KEY_ALREADY_REVOKED");
    if (account !== adminId && statusOf(key, at) === "EXPIRED") return refused(state, 409, "KEY_NOT_ACTIVE");
    return changedKey(state, { ...key, revokedBy: account }, account, at);
  },

  revokeUnused: (state, { by, order: id, count }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const order = state.orders.get(id);
    if (!order || (account !== adminId && order.owner !== account)) return refused(state, 404, "NOT_FOUND");
    const unused = [...state.keys.values()].filter(
      (key) => key.orderId === id && key.devices.length === 0 && statusOf(key, at) === "ACTIVE",
    );
    if (unused.length !== count) return refused(state, 409, "COUNT_CHANGED");
    const revoked = unused.map((key) => ({ ...key, revokedBy: account }));
    const next = () => ({ ...state, keys: putAll(state.keys, revoked) });
    return { status: 200, body: { revokedCount: count }, next };
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
    const devices = key.devices.filter((connected) => connected.id !== device);
    if (devices.length === key.devices.length) return refused(state, 404, "NOT_FOUND");
    const removed = key.devices.find((connected) => connected.id === device)?.deviceId;
    const events = [
      eventText("device_connected", null, removed),
      eventText("device_removed", nameOf(state, account), removed),
    ];
    const changed = withEvents({ ...key, devices }, ...events);
    return { status: 200, next: () => ({ ...state, keys: put(state.keys, id, changed) }) };
  },

  verify: (state, { isPreview, key: text, game, deviceId }, { at }) => {
    const named = findKey(state, text);
    const key = named?.game === (game === "LAST ISLAND" ? "LAST ISLAND OF SURVIVAL" : game) ? named : undefined;
    const status = key && statusOf(key, at);
    const isKnown = key?.devices.some((device) => device.deviceId === deviceId);
    const hasRoom = key && key.devices.length < key.deviceLimit;
    const good = isKnown || hasRoom ? "VALID" : "DEVICE_LIMIT_REACHED";
    const code = key ? (status === "ACTIVE" ? good : status) : "NOT_FOUND";
    const isNewcomer = code === "VALID" && !isKnown;
    const connects = isNewcomer && !isPreview;
    const devices = connects ? [...(key as Key).devices, { deviceId, id: null }] : (key?.devices ?? []);
    const expiry = key ? new Date(key.expiresAt).toISOString() : null;
    const figures = { expiry, deviceLimit: key?.deviceLimit ?? null, currentDevices: key ? devices.length : null };
    const body = { valid: code === "VALID", code, ...figures, ...(isPreview && { canRegister: isNewcomer }) };
    const next = () => (connects ? { ...state, keys: putAll(state.keys, [{ ...(key as Key), devices }]) } : state);
    return { status: 200, body, next };
  },

  ...selectionRules,

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

/** Disconnects all devices of the matching keys. Each key is reset at one instant between the call and its response. */
export function reset(state: State, matches: (key: Key) => boolean): { state: State; resetCount: number } {
  const inUse = [...state.keys.values()].filter((key) => key.devices.length > 0 && matches(key));
  const emptied = inUse.map((key) =>
    withEvents({ ...key, devices: [] }, eventText("devices_reset", nameOf(state, adminId), null, key.devices.length)),
  );
  return { state: { ...state, keys: putAll(state.keys, emptied) }, resetCount: inUse.length };
}

function putReseller(state: State, reseller: Reseller): State {
  return { ...state, resellers: put(state.resellers, reseller.id, reseller) };
}

function withLedgerRow(reseller: Reseller, row: LedgerRow): Reseller {
  return { ...reseller, ledger: [...reseller.ledger, row] };
}

/** A paid order and its keys. Their texts, ids and creation time come from the response. */
function generateKeys(
  state: State,
  bought: { account: number; reseller: Reseller | undefined; order: KeyOrder; costTenths: number },
  { body, from, to, at }: Observation,
  remembering: (next: State, body: unknown, createdAt: number) => State,
): Outcome {
  const { account, reseller, order, costTenths } = bought;
  const { game, deviceLimit, count } = order;
  const orderId: number = body?.orderId;
  const made: { id: number; keyString: string; createdAt: string; expiryDate: string }[] = body?.keys ?? [];
  const owner = reseller?.id ?? null;
  const expiresAt = order.expiresAt ?? Date.parse(made[0]?.expiryDate ?? "");
  const days = order.days ?? Math.floor(((order.expiresAt as number) - at) / msPerDay);
  const keys = made.map(({ id, keyString: text, createdAt }) => {
    const kept = { id, text, game, deviceLimit, createdAt: Date.parse(createdAt), expiresAt, owner, orderId };
    return { ...kept, revokedBy: null, note: null, devices: [], history: [] };
  });
  const row = { reason: "key_purchase" as const, amountTenths: -costTenths, orderId, by: reseller?.username ?? "" };
  const paid = reseller && withLedgerRow(reseller, { ...row, note: null });
  const views = keys.map((key) => keyView(key, account, at));
  const custom = order.keyString ? { 0: { keyString: order.keyString } } : {};
  const responseBody = { orderId, keys: views, ...(paid && { credits: balanceTenths(paid) / 10 }) };
  const expected = { ...responseBody, keys: count === keys.length ? views : Array(count).fill({}) };

  const next = () => {
    const begun = order.days === undefined ? from : expiresAt - order.days * msPerDay;
    const texts = new Set([...state.keys.values(), ...keys].map((key) => key.text.toLowerCase()));
    const areNew = texts.size === state.keys.size + count && keys.every(({ id }) => !state.keys.has(id));
    if (state.orders.has(orderId) || !areNew || begun < from || begun > to) return null;
    const createdAt = keys[0]?.createdAt ?? Number.NaN;
    const kept = { id: orderId, owner, game, deviceLimit, days, count, costTenths, note: null, createdAt };
    const ordered = { ...state, keys: putAll(state.keys, keys), orders: put(state.orders, orderId, kept) };
    return remembering(paid ? putReseller(ordered, paid) : ordered, responseBody, createdAt);
  };
  return { status: 201, body: { ...expected, keys: Object.assign([...expected.keys], custom) }, next };
}

/** Takes the ids of a key's devices from its page. */
function withDeviceIds(state: State, body: { id: number; devices: { id: number; deviceId: string }[] }): State {
  const key = state.keys.get(body.id) as Key;
  const devices = key.devices.map(({ deviceId }, index) => ({ deviceId, id: body.devices[index]?.id ?? null }));
  return { ...state, keys: put(state.keys, key.id, { ...key, devices }) };
}
