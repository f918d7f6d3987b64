import type { Action } from "./actions.ts";
import { findKey, type State } from "./state.ts";

/** The existing keys that an action may change. */
export function affectedKeys(state: State, action: Action): number[] {
  const keys = [...state.keys.values()];
  switch (action.type) {
    case "verify":
      return [findKey(state, action.key)?.id ?? []].flat();
    case "revoke":
    case "removeDevice":
      return state.keys.has(action.key) ? [action.key] : [];
    case "note":
      return action.on === "keys" && state.keys.has(action.id) ? [action.id] : [];
    case "revokeUnused":
      return keys.filter(({ orderId }) => orderId === action.order).map(({ id }) => id);
    case "revokeSelected":
    case "noteSelected":
      return action.selection.keys;
    case "resetDevices":
      return keys.filter(({ devices }) => devices.length > 0).map(({ id }) => id);
    default:
      return [];
  }
}

/** The keys that are not expired, those that expire next first. */
export function keysByExpiry({ keys }: State, now: number): number[] {
  const open = [...keys.values()].filter(({ expiresAt }) => expiresAt > now);
  return open.sort((a, b) => a.expiresAt - b.expiresAt).map(({ id }) => id);
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
