import type { Action } from "./actions.ts";
import { type Rules, refused } from "./outcome.ts";
import {
  adminId,
  type Block,
  eventText,
  type Key,
  nameOf,
  put,
  putAll,
  type State,
  withEvents,
  without,
} from "./state.ts";
import { blockView } from "./views.ts";

type Blocking = Extract<Action, { type: "block" }>;

/** A block is written at one instant, and its device is removed from the keys at another. */
export const blockRules: Pick<Rules, "block" | "unblock"> = {
  block: (state, { by, deviceId, reason }, { body }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const known = blockBy(state, account, deviceId);
    if (known) return { status: 200, body: blockView(known), next: () => state };
    const block = { id: body?.id, owner: ownerOf(account), deviceId, reason, by: nameOf(state, account) };
    const isNew = Number.isInteger(block.id) && !state.blocks.has(block.id);
    const next = () => (isNew ? { ...state, blocks: put(state.blocks, block.id, block) } : null);
    return { status: 201, body: blockView(block), next };
  },

  unblock: (state, { by, block: id }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const block = state.blocks.get(id);
    if (!block || block.owner !== ownerOf(account)) return refused(state, 404, "NOT_FOUND");
    return { status: 200, next: () => ({ ...state, blocks: without(state.blocks, (_, other) => other === id) }) };
  },
};

/**
 * The possible states after a block's call has removed the device. If the block was deleted at the same time, the keys
 * may have been looked up before or after that.
 */
export function removedBy(state: State, { by, deviceId }: Blocking, mayBeDeleted: boolean): State[] {
  const account = state.sessions.get(by) as number;
  const isBlocked = blockBy(state, account, deviceId) !== undefined;
  if (!isBlocked && !mayBeDeleted) return [state];
  const name = nameOf(state, account);
  const changed = withDevice(state, account, deviceId).map((key) => {
    const devices = key.devices.filter((device) => device.deviceId !== deviceId);
    const events = [eventText("device_connected", null, deviceId), eventText("device_removed", name, deviceId)];
    return withEvents({ ...key, devices }, ...events);
  });
  const removed = { ...state, keys: putAll(state.keys, changed) };
  return isBlocked ? [removed] : [removed, state];
}

/** The keys that an account's block covers, where they have the device. */
export function withDevice({ keys }: State, account: number | undefined, deviceId: string): Key[] {
  const isCovered = ({ owner }: Key) => account === adminId || owner === account;
  const hasDevice = ({ devices }: Key) => devices.some((device) => device.deviceId === deviceId);
  return [...keys.values()].filter((key) => isCovered(key) && hasDevice(key));
}

/** Whether a key connects no device with this id. */
export function isBlockedFor({ blocks }: State, key: Key, deviceId: string): boolean {
  const covers = ({ owner }: Block) => owner === null || owner === key.owner;
  return [...blocks.values()].some((block) => block.deviceId === deviceId && covers(block));
}

function ownerOf(account: number): number | null {
  return account === adminId ? null : account;
}

function blockBy({ blocks }: State, account: number, deviceId: string): Block | undefined {
  return [...blocks.values()].find((block) => block.owner === ownerOf(account) && block.deviceId === deviceId);
}
