import type { Action } from "./actions.ts";
import { withDevice } from "./block-rules.ts";
import { compensationsOf } from "./life.ts";
import { expiriesOf, findKey, type State } from "./state.ts";
import { effectOf, inScope } from "./sweeps.ts";

/** The existing keys that an action may change. */
export function affectedKeys(state: State, action: Action, now = 0): number[] {
  const keys = [...state.keys.values()];
  switch (action.type) {
    case "verify":
      return [findKey(state, action.key)?.id ?? []].flat();
    case "revoke":
    case "removeDevice":
    case "extend":
    case "setLimit":
    case "pause":
    case "replace":
    case "resume":
      // A key that does not exist yet may be made meanwhile.
      return [action.key];
    case "note":
      return action.on === "keys" && state.keys.has(action.id) ? [action.id] : [];
    case "revokeUnused":
      return keys.filter(({ orderId }) => orderId === action.order).map(({ id }) => id);
    case "revokeSelected":
    case "noteSelected":
    case "extendSelected":
      return action.selection.keys;
    case "intervene": {
      const scope = inScope(state, action.what.scope) ?? [];
      return scope.filter((key) => effectOf(key, { ...action.what, id: 0 }, now) !== null).map(({ id }) => id);
    }
    case "undo":
      return keys.filter(({ life }) => compensationsOf(life)[action.intervention] !== undefined).map(({ id }) => id);
    case "block":
      return withDevice(state, state.sessions.get(action.by), action.deviceId).map(({ id }) => id);
    case "resetDevices":
      return keys.filter(({ devices }) => devices.length > 0).map(({ id }) => id);
    default:
      return [];
  }
}

/** The keys that expire or end a pause by themselves, those that do so next first. */
export function keysByExpiry({ keys }: State, now: number): number[] {
  const next = [...keys.values()].flatMap((key) => {
    const [at] = expiriesOf(key).filter((expiry) => expiry > now);
    return at === undefined ? [] : [{ at, id: key.id }];
  });
  return next.sort((a, b) => a.at - b.at).map(({ id }) => id);
}

const deviceChecksMax = 3;

/** For each of the first keys, a verification by one of its connected devices. The product caches such keys. */
export function deviceChecks(state: State, keyIds: number[]): Extract<Action, { type: "verify" }>[] {
  const checks = [...new Set(keyIds)].flatMap((id) => {
    const { text: key = "", game = "", devices = [] } = state.keys.get(id) ?? {};
    return devices
      .slice(0, 1)
      .map(({ deviceId }) => ({ type: "verify" as const, isPreview: false, key, game, deviceId }));
  });
  return checks.slice(0, deviceChecksMax);
}
