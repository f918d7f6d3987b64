import type { KeyOrder } from "./acts.ts";
import { changedKey, type Outcome, type Rules, refused, type Seen } from "./outcome.ts";
import { notedKey, selectionRules } from "./selection-rules.ts";
import { keyView, orderView, resellerView, shownIn } from "./views.ts";
import {
  adminId,
  balanceTenths,
  eventText,
  happened,
  type Key,
  keyNamed,
  type LedgerRow,
  nameOf,
  type Order,
  put,
  putAll,
  type Reseller,
  resellerNamed,
  statusOf,
  type World,
  without,
} from "./world.ts";

const msPerDay = 86_400_000;
const pricesTenths: Record<number, number> = { 5: 5, 10: 10, 20: 20, 30: 30, 60: 60 };

export const rules: Rules = {
  issueToken: (world, { credits }, { body }) => {
    const { id, token: text } = body?.token ?? {};
    const token = { id, text, tenths: Math.round(credits * 10), usedBy: null };
    const isNew = !world.tokens.has(id) && text?.length >= 20;
    const next = () => (isNew ? { ...world, tokens: put(world.tokens, id, token) } : null);
    return { status: 201, body: { token: { credits, usedBy: null, isUsed: false } }, next };
  },

  takeBackToken: (world, { token: id }) => {
    const token = world.tokens.get(id);
    if (!token) return refused(world, 404, "NOT_FOUND");
    if (token.usedBy !== null) return refused(world, 409, "TOKEN_USED");
    return { status: 200, next: () => ({ ...world, tokens: without(world.tokens, (_, other) => other === id) }) };
  },

  register: (world, { token: text, username }, { body }) => {
    const token = [...world.tokens.values()].find((one) => one.text === text);
    if (!token) return refused(world, 422, "TOKEN_UNKNOWN");
    const isTaken = resellerNamed(world, username) !== undefined;
    // Of two things that are wrong at once, either may have been noticed first.
    if (token.usedBy !== null) return refused(world, 409, "TOKEN_USED", ...(isTaken ? ["USERNAME_TAKEN"] : []));
    if (isTaken) return refused(world, 409, "USERNAME_TAKEN");
    const row = { reason: "token_bonus" as const, amountTenths: token.tenths, orderId: null, by: username, note: null };
    const reseller = {
      id: body?.user?.id,
      username,
      isActive: true,
      suspensionReason: null,
      ledger: token.tenths > 0 ? [row] : [],
    };
    const next = () => ({
      ...world,
      resellers: put(world.resellers, reseller.id, reseller),
      tokens: put(world.tokens, token.id, { ...token, usedBy: username }),
    });
    return { status: 201, body: { user: { username, role: "reseller" } }, next };
  },

  signIn: (world, { username }, { cookie, before, body }) => {
    const reseller = resellerNamed(world, username);
    if (!reseller) return refused(world, 401, "WRONG_CREDENTIALS");
    const { id, isActive } = reseller;
    // Who is suspended between the password and the session is told to try again.
    const wasActive = before.resellers.get(id)?.isActive ?? true;
    if (!isActive && wasActive && body?.code === "WRONG_CREDENTIALS") return refused(world, 401, "WRONG_CREDENTIALS");
    if (!isActive) return refused(world, 403, "SUSPENDED");
    return { status: 200, next: () => ({ ...world, sessions: put(world.sessions, cookie, id) }) };
  },

  signOut: (world, { by }) => {
    return { status: 200, next: () => ({ ...world, sessions: without(world.sessions, (_, cookie) => cookie === by) }) };
  },

  grant: (world, { reseller: id, amount, note }) => {
    const reseller = world.resellers.get(id);
    if (!reseller) return refused(world, 404, "NOT_FOUND");
    const row = {
      reason: "admin_grant" as const,
      amountTenths: amount * 10,
      orderId: null,
      by: "admin",
      note: note?.trim() || null,
    };
    const next = withReseller(world, entered(reseller, row));
    return { status: 200, body: { reseller: resellerView(next, entered(reseller, row)) }, next: () => next };
  },

  setActive: (world, { reseller: id, isActive, reason }) => {
    const reseller = world.resellers.get(id);
    if (!reseller) return refused(world, 404, "NOT_FOUND");
    const sessions = isActive ? world.sessions : without(world.sessions, (account) => account === id);
    // The reason is that of the suspension: another one changes nothing.
    const why = isActive === reseller.isActive ? reseller.suspensionReason : (reason ?? null);
    const changed = { ...reseller, isActive, suspensionReason: isActive ? null : why };
    const next = { ...withReseller(world, changed), sessions };
    return { status: 200, body: { reseller: resellerView(next, changed) }, next: () => next };
  },

  generate: (world, { by, order, idempotencyKey }, seen) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    const price = account === adminId ? 0 : pricesTenths[order.days as number];
    if (price === undefined) return refused(world, 422, "INVALID_DAY_TIER");
    const retry = `${account} ${idempotencyKey}`;
    const asked = JSON.stringify(order);
    const earlier = idempotencyKey === null ? undefined : world.remembered.get(retry);
    if (earlier && earlier.asked !== asked) return refused(world, 422, "IDEMPOTENCY_KEY_REUSED");
    if (earlier) return { status: 201, body: earlier.body, next: () => world };
    if (order.expiresAt !== undefined && order.expiresAt <= seen.at) return refused(world, 422, "INVALID");
    if (order.keyString && keyNamed(world, order.keyString)) return refused(world, 409, "KEY_TAKEN");
    const reseller = world.resellers.get(account);
    const costTenths = price * order.count;
    if (reseller && balanceTenths(reseller) < costTenths) return refused(world, 402, "CREDITS_SHORT");
    return generated(world, { account, reseller, order, costTenths }, seen, (next, body) =>
      idempotencyKey === null ? next : { ...next, remembered: put(next.remembered, retry, { asked, body }) },
    );
  },

  revoke: (world, { by, key: id }, { at }) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    const key = world.keys.get(id);
    if (!key || (account !== adminId && key.owner !== account)) return refused(world, 404, "NOT_FOUND");
    if (key.revokedBy !== null) return refused(world, 409, "KEY_ALREADY_REVOKED");
    if (account !== adminId && statusOf(key, at) === "EXPIRED") return refused(world, 409, "KEY_NOT_ACTIVE");
    return changedKey(world, { ...key, revokedBy: account }, account, at);
  },

  revokeUnused: (world, { by, order: id, count }, { at }) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    const order = world.orders.get(id);
    if (!order || (account !== adminId && order.owner !== account)) return refused(world, 404, "NOT_FOUND");
    const unused = [...world.keys.values()].filter(
      (key) => key.orderId === id && key.devices.length === 0 && statusOf(key, at) === "ACTIVE",
    );
    if (unused.length !== count) return refused(world, 409, "COUNT_CHANGED");
    const revoked = unused.map((key) => ({ ...key, revokedBy: account }));
    const next = () => ({ ...world, keys: putAll(world.keys, revoked) });
    return { status: 200, body: { revokedCount: count }, next };
  },

  note: (world, { by, on, id, note: text }, { at }) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    const thing = world[on].get(id);
    // A note is its owner's: the admins' own are those of nobody.
    if (!thing || thing.owner !== (account === adminId ? null : account)) return refused(world, 404, "NOT_FOUND");
    const noted = { ...thing, note: text.trim() || null };
    if (on === "keys") return changedKey(world, notedKey(world, thing as Key, text, account), account, at);
    const next = () => ({ ...world, orders: put(world.orders, id, noted as Order) });
    return { status: 200, body: { order: orderView(noted as Order) }, next };
  },

  removeDevice: (world, { by, key: id, device }, { at }) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    const key = world.keys.get(id);
    if (!key || key.owner !== account) return refused(world, 404, "NOT_FOUND");
    if (statusOf(key, at) !== "ACTIVE") return refused(world, 409, "KEY_NOT_ACTIVE");
    const devices = key.devices.filter((connected) => connected.id !== device);
    if (devices.length === key.devices.length) return refused(world, 404, "NOT_FOUND");
    const removed = key.devices.find((connected) => connected.id === device)?.deviceId;
    const events = [
      eventText("device_connected", null, removed),
      eventText("device_removed", nameOf(world, account), removed),
    ];
    const changed = happened({ ...key, devices }, ...events);
    return { status: 200, next: () => ({ ...world, keys: put(world.keys, id, changed) }) };
  },

  verify: (world, { isPreview, key: text, game, deviceId }, { at }) => {
    const named = keyNamed(world, text);
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
    const next = () => (connects ? { ...world, keys: putAll(world.keys, [{ ...(key as Key), devices }]) } : world);
    return { status: 200, body, next };
  },

  ...selectionRules,

  look: (world, { by, at: view }, { at, before, body }) => {
    // Who looks is asked first, and the page is read after that: a session may end in between.
    const account = world.sessions.get(by) ?? before.sessions.get(by);
    const mayBeRefused = !world.sessions.has(by);
    if (account === undefined || (mayBeRefused && body?.code === "NOT_SIGNED_IN")) {
      return refused(world, 401, "NOT_SIGNED_IN");
    }
    const shown = shownIn(world, account, view, at, body);
    if (shown === null) return refused(world, 404, "NOT_FOUND");
    return { status: 200, body: shown, next: () => (view.list === "key" ? learned(world, body) : world) };
  },
};

/** Takes every device off the keys that are meant: "each key is reset at one instant between the call and its answer". */
export function reset(world: World, isMeant: (key: Key) => boolean): { world: World; resetCount: number } {
  const inUse = [...world.keys.values()].filter((key) => key.devices.length > 0 && isMeant(key));
  const emptied = inUse.map((key) =>
    happened({ ...key, devices: [] }, eventText("devices_reset", nameOf(world, adminId), null, key.devices.length)),
  );
  return { world: { ...world, keys: putAll(world.keys, emptied) }, resetCount: inUse.length };
}

function withReseller(world: World, reseller: Reseller): World {
  return { ...world, resellers: put(world.resellers, reseller.id, reseller) };
}

function entered(reseller: Reseller, row: LedgerRow): Reseller {
  return { ...reseller, ledger: [...reseller.ledger, row] };
}

/** An order that is paid for, and its keys: their texts, ids and the instant of their making are the answer's. */
function generated(
  world: World,
  bought: { account: number; reseller: Reseller | undefined; order: KeyOrder; costTenths: number },
  { body, from, to, at }: Seen,
  remembering: (next: World, body: unknown) => World,
): Outcome {
  const { account, reseller, order, costTenths } = bought;
  const { game, deviceLimit, count } = order;
  const orderId: number = body?.orderId;
  const made: { id: number; keyString: string; expiryDate: string }[] = body?.keys ?? [];
  const owner = reseller?.id ?? null;
  const expiresAt = order.expiresAt ?? Date.parse(made[0]?.expiryDate ?? "");
  const days = order.days ?? Math.floor(((order.expiresAt as number) - at) / msPerDay);
  const keys = made.map(({ id, keyString: text }) => {
    const kept = { id, text, game, deviceLimit, expiresAt, owner, orderId };
    return { ...kept, revokedBy: null, note: null, devices: [], history: [] };
  });
  const row = { reason: "key_purchase" as const, amountTenths: -costTenths, orderId, by: reseller?.username ?? "" };
  const paid = reseller && entered(reseller, { ...row, note: null });
  const views = keys.map((key) => keyView(key, account, at));
  const custom = order.keyString ? { 0: { keyString: order.keyString } } : {};
  const answered = { orderId, keys: views, ...(paid && { credits: balanceTenths(paid) / 10 }) };
  const expected = { ...answered, keys: count === keys.length ? views : Array(count).fill({}) };

  const next = () => {
    const begun = order.days === undefined ? from : expiresAt - order.days * msPerDay;
    const texts = new Set([...world.keys.values(), ...keys].map((key) => key.text.toLowerCase()));
    const areNew = texts.size === world.keys.size + count && keys.every(({ id }) => !world.keys.has(id));
    if (world.orders.has(orderId) || !areNew || begun < from || begun > to) return null;
    const kept = { id: orderId, owner, game, deviceLimit, days, count, costTenths, note: null };
    const ordered = { ...world, keys: putAll(world.keys, keys), orders: put(world.orders, orderId, kept) };
    return remembering(paid ? withReseller(ordered, paid) : ordered, answered);
  };
  return { status: 201, body: { ...expected, keys: Object.assign([...expected.keys], custom) }, next };
}

/** The ids of a key's devices, which its page tells. */
function learned(world: World, body: { id: number; devices: { id: number; deviceId: string }[] }): World {
  const key = world.keys.get(body.id) as Key;
  const devices = key.devices.map(({ deviceId }, index) => ({ deviceId, id: body.devices[index]?.id ?? null }));
  return { ...world, keys: put(world.keys, key.id, { ...key, devices }) };
}
