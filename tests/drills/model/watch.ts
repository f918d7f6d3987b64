import type { Act } from "./acts.ts";
import { keyNamed, type World } from "./world.ts";

/** The keys that an act may change, as far as they are there already. */
export function keysConcernedBy(world: World, act: Act): number[] {
  const keys = [...world.keys.values()];
  switch (act.does) {
    case "verify":
      return [keyNamed(world, act.key)?.id ?? []].flat();
    case "revoke":
    case "removeDevice":
      return world.keys.has(act.key) ? [act.key] : [];
    case "note":
      return act.on === "keys" && world.keys.has(act.id) ? [act.id] : [];
    case "revokeUnused":
      return keys.filter(({ orderId }) => orderId === act.order).map(({ id }) => id);
    case "revokeSelected":
    case "noteSelected":
      return act.selection.keys;
    case "resetDevices":
      return keys.filter(({ devices }) => devices.length > 0).map(({ id }) => id);
    default:
      return [];
  }
}

/** For each such key how one of its connected devices asks: what it was told last is what the product remembers. */
export function devicesOf(world: World, acts: Act[]): Extract<Act, { does: "verify" }>[] {
  const ids = new Set(acts.flatMap((act) => keysConcernedBy(world, act)));
  return [...ids].flatMap((id) => {
    const { text: key = "", game = "", devices = [] } = world.keys.get(id) ?? {};
    return devices.slice(0, 1).map(({ deviceId }) => ({ does: "verify", isPreview: false, key, game, deviceId }));
  });
}
