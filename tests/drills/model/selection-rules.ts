import type { Selection, Which } from "./actions.ts";
import { revokedAll } from "./credits.ts";
import { endOf } from "./life.ts";
import { type Outcome, type Rules, refused, refusedAs } from "./outcome.ts";
import { hoursOf } from "./prices.ts";
import { remembering, retried } from "./remembered.ts";
import {
  adminId,
  balanceTenths,
  eventText,
  isOpen,
  type Key,
  nameOf,
  putAll,
  refundTenths,
  type State,
  settled,
  statusOf,
  withEvents,
} from "./state.ts";
import { extendedKey, extensionTenths, isDearer, isShort, refusalsOf } from "./time-rules.ts";

type SelectionActions = "select" | "revokeSelected" | "noteSelected" | "extendSelected";

/** Changes to several keys at once: few enough that all change at one instant. */
export const selectionRules: Pick<Rules, SelectionActions> = {
  select: (state, { by, which, duration }, { at, before, body, isAlone }) => {
    const account = state.sessions.get(by) ?? before.sessions.get(by);
    const mayBeRefused = !state.sessions.has(by);
    if (account === undefined || (mayBeRefused && body?.code === "NOT_SIGNED_IN")) {
      return refused(state, 401, "NOT_SIGNED_IN");
    }
    const selected = selectedIn(state, account, which);
    const hours = duration === undefined ? undefined : hoursOf(duration);
    if (selected === null || hours === null) {
      const possible = refusalsOf([
        [selected === null, 404, "NOT_FOUND"],
        [hours === null, 422, "INVALID_DAY_TIER"],
      ]);
      return refusedAs(state, ...possible);
    }
    const count = (matches: (key: Key) => boolean) => selected.filter(matches).length;
    const counts = {
      selected: selected.length,
      unused: count((key) => isOpen(key, at) && key.devices.length === 0),
      connected: count((key) => isOpen(key, at) && key.devices.length > 0),
      expired: count((key) => statusOf(key, at) === "EXPIRED"),
      revoked: count((key) => statusOf(key, at) === "REVOKED"),
      toRevoke: count((key) => mayRevoke(account, key, at)),
    };
    // The keys are counted as they were at the mark, but what follows is of a moment later.
    if (!isAlone) return { status: 200, body: counts, next: () => state };
    const refund = selected.reduce((sum, key) => sum + refundTenths(state, key, at), 0) / 10;
    const extension = hours === undefined ? {} : extensionView(state, account, selected, hours);
    return { status: 200, body: { ...counts, refund, ...extension }, next: () => state };
  },

  extendSelected: (state, { by, selection, count, idempotencyKey, cost }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const retry = { account, idempotencyKey, request: JSON.stringify(["extendSelected", selection, count]) };
    const earlier = retried(state, retry, { at, status: 200 });
    if (earlier) return earlier;
    const hours = hoursOf(selection.extension?.duration ?? {}) as number;
    const costOf = (key: Key) => extensionTenths(state, account, key, hours);
    const sold = extendable(state, account, keysOf(state, selection), hours);
    const costTenths = sold.reduce((sum, key) => sum + (costOf(key) as number), 0);
    const possible = refusalsOf([
      [sold.length !== count, 409, "COUNT_CHANGED"],
      [isDearer(cost, costTenths), 409, "COST_CHANGED"],
      [isShort(state.resellers.get(account), costTenths), 402, "CREDITS_SHORT"],
    ]);
    if (possible.length > 0) return refusedAs(state, ...possible);
    const after = sold.reduce(
      (next, key) => extendedKey(next, key, { account, hours, costTenths: costOf(key) as number, at }),
      state,
    );
    const reseller = after.resellers.get(account);
    const paid = reseller && { credits: balanceTenths(reseller) / 10 };
    const body = { extendedCount: sold.length, cost: costTenths / 10, ...paid };
    return { status: 200, body, next: () => remembering(after, retry, { body, at }) };
  },

  revokeSelected: (state, { by, selection, count }, { at }): Outcome => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const keys = keysOf(state, selection);
    const promised = keys.filter(
      (key) => !selection.revoked.includes(key.id) && wasRevocable(account, key, selection.at),
    );
    if (count !== promised.length) return refused(state, 409, "COUNT_CHANGED");
    const toRevoke = keys.filter((key) => mayRevoke(account, key, at));
    const { state: next } = revokedAll(state, toRevoke, account, at);
    const after = keysOf(next, selection);
    const expired = after.filter((key) => key.revokedBy === null).length;
    const isDone = (key: Key) => key.revokedBy === account && !selection.revoked.includes(key.id);
    const done = after.filter(isDone);
    const revokedCount = done.length;
    const passedOver = { revoked: after.length - revokedCount - expired, expired };
    const refund = done.reduce((sum, key) => sum + refundedTenths(next, key), 0) / 10;
    return { status: 200, body: { revokedCount, passedOver, refund }, next: () => next };
  },

  noteSelected: (state, { by, selection, count, note }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    // The notes on a reseller's keys belong to the reseller, so an admin may only read them.
    if (selection.which.resellerId !== undefined) return refused(state, 404, "NOT_FOUND");
    const keys = keysOf(state, selection);
    if (keys.length > count) return refused(state, 409, "COUNT_CHANGED");
    const noted = keys.map((key) => notedKey(state, key, note, account));
    const notedCount = noted.filter((key, index) => key !== keys[index]).length;
    const next = () => ({ ...state, keys: putAll(state.keys, noted) });
    return { status: 200, body: { notedCount, unchangedCount: keys.length - notedCount }, next };
  },
};

/** The selected keys, or `null` if an admin selects among the keys of a reseller who does not exist. */
export function selectedIn(state: State, account: number, { ids, game, resellerId }: Which): Key[] | null {
  if (resellerId !== undefined && !state.resellers.has(resellerId)) return null;
  const owner = account === adminId ? (resellerId ?? null) : account;
  return [...state.keys.values()].filter(
    (key) => key.owner === owner && (ids?.includes(key.id) ?? true) && (game === undefined || key.game === game),
  );
}

/** Admins may also revoke keys that have expired. */
export function mayRevoke(account: number, key: Key, at: number): boolean {
  return key.revokedBy === null && (account === adminId || isOpen(key, at));
}

/** Returns the key unchanged if it already has this note. */
export function notedKey(state: State, key: Key, text: string, account: number): Key {
  const note = text.trim() || null;
  return note === key.note ? key : withEvents({ ...key, note }, eventText("noted", nameOf(state, account)));
}

/** Whether the account could revoke a key when it was shown, judged by the key's dates of now. */
function wasRevocable(account: number, key: Key, at: number): boolean {
  if (account === adminId) return true;
  const { life } = settled(key, at);
  const wasPaused = life.pause !== null && life.pause.from <= at;
  return wasPaused || (endOf(life) ?? Number.POSITIVE_INFINITY) > at;
}

/** A repeated call also tells what its earlier calls gave back. */
function refundedTenths({ resellers }: State, key: Key): number {
  const ledger = resellers.get(key.owner as number)?.ledger ?? [];
  return ledger.find((row) => row.keyId === key.id && row.reason === "key_refund")?.amountTenths ?? 0;
}

function extendable(state: State, account: number, keys: Key[], hours: number): Key[] {
  const isSold = (key: Key) => extensionTenths(state, account, key, hours) !== null;
  return keys.filter((key) => key.revokedBy === null && isSold(key));
}

/** What the preview of a selection says about a duration. */
export function extensionView(state: State, account: number, keys: Key[], hours: number) {
  const sold = extendable(state, account, keys, hours);
  const costTenths = sold.reduce((sum, key) => sum + (extensionTenths(state, account, key, hours) as number), 0);
  return { toExtend: sold.length, ...(account !== adminId && { cost: costTenths / 10 }) };
}

function keysOf(state: State, { keys }: Selection): Key[] {
  return keys.map((id) => state.keys.get(id) as Key);
}
