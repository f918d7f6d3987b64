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

/** For each affected key, a verification by one of its connected devices, whose verdict the product caches. */
export function deviceChecks(state: State, actions: Action[]): Extract<Action, { type: "verify" }>[] {
  const ids = new Set(actions.flatMap((action) => affectedKeys(state, action)));
  return [...ids].flatMap((id) => {
    const { text: key = "", game = "", devices = [] } = state.keys.get(id) ?? {};
    return devices.slice(0, 1).map(({ deviceId }) => ({ type: "verify", isPreview: false, key, game, deviceId }));
  });
}
