import type { Selection, Which } from "./acts.ts";
import { type Rules, refused } from "./outcome.ts";
import { adminId, eventText, happened, type Key, nameOf, putAll, statusOf, type World } from "./world.ts";

/** What is done to many keys at once: few enough that all of them are done at one instant. */
export const selectionRules: Pick<Rules, "select" | "revokeSelected" | "noteSelected"> = {
  select: (world, { by, which }, { at, before, body }) => {
    const account = world.sessions.get(by) ?? before.sessions.get(by);
    const mayBeRefused = !world.sessions.has(by);
    if (account === undefined || (mayBeRefused && body?.code === "NOT_SIGNED_IN")) {
      return refused(world, 401, "NOT_SIGNED_IN");
    }
    const selected = selectedIn(world, account, which);
    if (selected === null) return refused(world, 404, "NOT_FOUND");
    const count = (isMeant: (key: Key) => boolean) => selected.filter(isMeant).length;
    const isActive = (key: Key) => statusOf(key, at) === "ACTIVE";
    const counts = {
      selected: selected.length,
      unused: count((key) => isActive(key) && key.devices.length === 0),
      connected: count((key) => isActive(key) && key.devices.length > 0),
      expired: count((key) => statusOf(key, at) === "EXPIRED"),
      revoked: count((key) => statusOf(key, at) === "REVOKED"),
    };
    return { status: 200, body: counts, next: () => world };
  },

  revokeSelected: (world, { by, selection, count }, { at }) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    if (count !== selection.keys.length - selection.revoked.length) return refused(world, 409, "COUNT_CHANGED");
    const mayRevoke = (key: Key) => key.revokedBy === null && (account === adminId || statusOf(key, at) === "ACTIVE");
    const after = keysOf(world, selection).map((key) => (mayRevoke(key) ? { ...key, revokedBy: account } : key));
    const expired = after.filter((key) => key.revokedBy === null).length;
    const isDone = (key: Key) => key.revokedBy === account && !selection.revoked.includes(key.id);
    const revokedCount = after.filter(isDone).length;
    const passedOver = { revoked: after.length - revokedCount - expired, expired };
    const next = () => ({ ...world, keys: putAll(world.keys, after) });
    return { status: 200, body: { revokedCount, passedOver }, next };
  },

  noteSelected: (world, { by, selection, count, note }) => {
    const account = world.sessions.get(by);
    if (account === undefined) return refused(world, 401, "NOT_SIGNED_IN");
    // An admin looks at a reseller's keys, whose notes are the reseller's.
    if (selection.which.resellerId !== undefined) return refused(world, 404, "NOT_FOUND");
    const keys = keysOf(world, selection);
    if (keys.length > count) return refused(world, 409, "COUNT_CHANGED");
    const noted = keys.map((key) => notedKey(world, key, note, account));
    const notedCount = noted.filter((key, index) => key !== keys[index]).length;
    const next = () => ({ ...world, keys: putAll(world.keys, noted) });
    return { status: 200, body: { notedCount, unchangedCount: keys.length - notedCount }, next };
  },
};

/** The keys that somebody means; `null` where an admin means those of a reseller that there is not. */
export function selectedIn(world: World, account: number, { ids, game, resellerId }: Which): Key[] | null {
  if (resellerId !== undefined && !world.resellers.has(resellerId)) return null;
  const owner = account === adminId ? (resellerId ?? null) : account;
  return [...world.keys.values()].filter(
    (key) => key.owner === owner && (ids?.includes(key.id) ?? true) && (game === undefined || key.game === game),
  );
}

/** The same key where it has that note already. */
export function notedKey(world: World, key: Key, text: string, account: number): Key {
  const note = text.trim() || null;
  return note === key.note ? key : happened({ ...key, note }, eventText("noted", nameOf(world, account)));
}

function keysOf(world: World, { keys }: Selection): Key[] {
  return keys.map((id) => world.keys.get(id) as Key);
}
