import fc from "fast-check";
import type { Selection, Which } from "./acts.ts";
import { by, type Choice, keyIn, number, pick, sessionOf } from "./scene.ts";
import { selectedIn } from "./selection-rules.ts";
import { adminId } from "./world.ts";

export const noteText = fc.constantFrom("", "For the team", "'; DROP TABLE orders; --", "  a space around  ");

/** So few are changed in one piece, and so many stand on a page of a shop. */
const selectedMax = 25;

export const select = fc
  .record({ n: number, key: number, isAdmin: fc.boolean(), isOfReseller: fc.boolean(), isOfGame: fc.boolean() })
  .map(
    ({ n, key, isAdmin, isOfReseller, isOfGame }): Choice =>
      (scene) =>
        by(scene, isAdmin, n, (by) => {
          const { world } = scene;
          const resellerId = isAdmin && isOfReseller ? (pick([...world.resellers.keys()], n) ?? 99) : undefined;
          const whose = resellerId === undefined ? {} : { resellerId };
          const ofGame: Which = { ...whose, game: keyIn(scene, key)?.game ?? "FREE FIRE" };
          const isFew = (selectedIn(world, world.sessions.get(by) ?? adminId, ofGame)?.length ?? 0) <= selectedMax;
          if (isOfGame && isFew) return { does: "select", by, which: ofGame };
          const ids = [...new Set([...scene.recentKeys, keyIn(scene, key)?.id ?? 1])];
          return { does: "select", by, which: { ...whose, ids } };
        }),
  );

/** What is done to a selection that somebody has looked at, mostly to the latest; at times with another count than was shown. */
export const changeSelected = fc
  .record({
    n: number,
    other: select,
    more: fc.constantFrom(0, 0, 0, 0, 1, -1),
    note: fc.option(noteText, { freq: 2 }),
  })
  .map(
    ({ n, other, more, note }): Choice =>
      (scene) => {
        const isOpen = ({ keys }: Selection) => keys.some((id) => scene.world.keys.get(id)?.revokedBy === null);
        const selection = pick(scene.selections.filter(isOpen).slice(n % 4 === 0 ? 0 : -1), n);
        const by = sessionOf(scene, selection?.account);
        if (!selection || by === undefined) return other(scene);
        const { keys, revoked } = selection;
        const changed = {
          by,
          selection,
          count: Math.max(1, keys.length - (note === null ? revoked.length : 0) + more),
        };
        return note === null ? { does: "revokeSelected", ...changed } : { does: "noteSelected", ...changed, note };
      },
  );
