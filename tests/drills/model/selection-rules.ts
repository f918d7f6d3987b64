import type { Selection, Which } from "./actions.ts";
import { type Rules, refused } from "./outcome.ts";
import { adminId, eventText, type Key, nameOf, putAll, type State, statusOf, withEvents } from "./state.ts";

/** Changes to several keys at once: few enough that all change at one instant. */
export const selectionRules: Pick<Rules, "select" | "revokeSelected" | "noteSelected"> = {
  select: (state, { by, which }, { at, before, body }) => {
    const account = state.sessions.get(by) ?? before.sessions.get(by);
    const mayBeRefused = !state.sessions.has(by);
    if (account === undefined || (mayBeRefused && body?.code === "NOT_SIGNED_IN")) {
      return refused(state, 401, "NOT_SIGNED_IN");
    }
    const selected = selectedIn(state, account, which);
    if (selected === null) return refused(state, 404, "NOT_FOUND");
    const count = (matches: (key: Key) => boolean) => selected.filter(matches).length;
    const isActive = (key: Key) => statusOf(key, at) === "ACTIVE";
    const counts = {
      selected: selected.length,
      unused: count((key) => isActive(key) && key.devices.length === 0),
      connected: count((key) => isActive(key) && key.devices.length > 0),
      expired: count((key) => statusOf(key, at) === "EXPIRED"),
      revoked: count((key) => statusOf(key, at) === "REVOKED"),
      toRevoke: count((key) => mayRevoke(account, key, at)),
    };
    return { status: 200, body: counts, next: () => state };
  },

  revokeSelected: (state, { by, selection, count }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    if (count !== selection.toRevoke) return refused(state, 409, "COUNT_CHANGED");
    const after = keysOf(state, selection).map((key) =>
      mayRevoke(account, key, at) ? { ...key, revokedBy: account } : key,
    );
    const expired = after.filter((key) => key.revokedBy === null).length;
    const isDone = (key: Key) => key.revokedBy === account && !selection.revoked.includes(key.id);
    const revokedCount = after.filter(isDone).length;
    const passedOver = { revoked: after.length - revokedCount - expired, expired };
    const next = () => ({ ...state, keys: putAll(state.keys, after) });
    return { status: 200, body: { revokedCount, passedOver }, next };
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
  return key.revokedBy === null && (account === adminId || statusOf(key, at) === "ACTIVE");
}

/** Returns the key unchanged if it already has this note. */
export function notedKey(state: State, key: Key, text: string, account: number): Key {
  const note = text.trim() || null;
  return note === key.note ? key : withEvents({ ...key, note }, eventText("noted", nameOf(state, account)));
}

function keysOf(state: State, { keys }: Selection): Key[] {
  return keys.map((id) => state.keys.get(id) as Key);
}
