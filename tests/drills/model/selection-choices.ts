import fc from "fast-check";
import type { Selection, Which } from "./actions.ts";
import { asAccount, type Choice, keyIn, number, pick, sessionOf } from "./context.ts";
import { selectedIn } from "./selection-rules.ts";
import { adminId } from "./state.ts";
import { cost, durations, idempotencyKey } from "./time-choices.ts";

export const noteText = fc.constantFrom("", "For the team", "'; DROP TABLE orders; --", "  a space around  ");

/** The product changes this many keys in one transaction. */
const selectedMax = 25;

export const select = fc
  .record({
    ...{ n: number, key: number, isAdmin: fc.boolean(), isOfReseller: fc.boolean(), isOfGame: fc.boolean() },
    durations: fc.option(durations, { freq: 2 }),
  })
  .map(
    ({ n, key, isAdmin, isOfReseller, isOfGame, durations }): Choice =>
      (context) =>
        asAccount(context, isAdmin, n, (by) => {
          const { state } = context;
          const resellerId = isAdmin && isOfReseller ? (pick([...state.resellers.keys()], n) ?? 99) : undefined;
          const whose = resellerId === undefined ? {} : { resellerId };
          const ofGame: Which = { ...whose, game: keyIn(context, key)?.game ?? "FREE FIRE" };
          const isFew = (selectedIn(state, state.sessions.get(by) ?? adminId, ofGame)?.length ?? 0) <= selectedMax;
          const ids = [...new Set([...context.recentKeys, keyIn(context, key)?.id ?? 1])];
          const which = isOfGame && isFew ? ofGame : { ...whose, ids };
          const duration = by === context.adminCookie ? durations?.given : durations?.sold;
          return { type: "select", by, which, ...(duration && { duration }) };
        }),
  );

/** Changes a selection, mostly the latest one, and sometimes sends a different count than was shown. */
export const changeSelected = fc
  .record({
    n: number,
    other: select,
    more: fc.constantFrom(0, 0, 0, 0, 1, -1),
    note: fc.option(noteText, { freq: 2 }),
    idempotencyKey,
    cost,
  })
  .map(
    ({ n, other, more, note, idempotencyKey, cost }): Choice =>
      (context) => {
        const isOpen = ({ keys }: Selection) => keys.some((id) => context.state.keys.get(id)?.revokedBy === null);
        const selection = pick(context.selections.filter(isOpen).slice(n % 4 === 0 ? 0 : -1), n);
        const by = sessionOf(context, selection?.account);
        if (!selection || by === undefined) return other(context);
        if (selection.extension && n % 3 > 0) {
          const count = Math.max(1, selection.extension.count + more);
          return { type: "extendSelected", by, selection, count, idempotencyKey, cost };
        }
        const shown = note === null ? selection.toRevoke : selection.keys.length;
        const changed = { by, selection, count: Math.max(1, shown + more) };
        return note === null ? { type: "revokeSelected", ...changed } : { type: "noteSelected", ...changed, note };
      },
  );
