import { atom } from "jotai";
import type { Role } from "../../../../../src/accounts/schema.ts";
import { selectedIdsMax } from "../../../../../src/keys/limits.ts";
import type { Seen, Which } from "../../../../api/calls/key-selection.ts";
import { countText } from "../../../../format.ts";
import { choosingAtom } from "../../../../state/atoms.ts";
import type { Key } from "../columns.tsx";

type ById = ReadonlyMap<number, Key>;

/** All keys that fitted the filters when they were counted: none that was made later, and so has a greater id than the newest. */
interface All {
  which: Which;
  newestId: number;
  count: number;
}

/** The keys of the page's list that were chosen: one by one, or all that match. */
export const chosenAtom = atom<ById | All>(new Map());

/** Where a range begins: the key that was pressed last. */
export const anchorAtom = atom<number | null>(null);

export function isAll(chosen: ById | All): chosen is All {
  return "which" in chosen;
}

export function isChosen(chosen: ById | All, id: number): boolean {
  return isAll(chosen) ? id <= chosen.newestId : chosen.has(id);
}

export const countAtom = atom((get) => {
  const chosen = get(chosenAtom);
  return isAll(chosen) ? chosen.count : chosen.size;
});

/** Whether a press on a row chooses it. */
export const isChoosingAtom = atom((get) => get(choosingAtom) || get(countAtom) > 0);

export const clearAtom = atom(null, (_, set) => {
  set(chosenAtom, new Map());
  set(anchorAtom, null);
  set(choosingAtom, false);
});

interface Press {
  id: number;
  /** Everything between it and the press before it is chosen. */
  range: boolean;
  rows: readonly Key[];
}

/** Chooses a key, or takes it back. Whoever takes one back of all has those chosen that are in sight, without it. */
export const pressAtom = atom(null, (get, set, { id, range, rows }: Press) => {
  const before = get(chosenAtom);
  const chosen = new Map(isAll(before) ? entriesOf(rows.filter((row) => isChosen(before, row.id))) : before);
  const between = range ? rowsBetween(rows, get(anchorAtom), id) : [];
  if (between.length > 0) for (const row of between) chosen.set(row.id, row);
  else if (!chosen.delete(id)) for (const row of rows) if (row.id === id) chosen.set(id, row);
  // More have no place in one call; all that match have.
  set(chosenAtom, new Map([...chosen].slice(0, selectedIdsMax)));
  set(anchorAtom, id);
});

function entriesOf(rows: readonly Key[]): [number, Key][] {
  return rows.map((row) => [row.id, row]);
}

function rowsBetween(rows: readonly Key[], from: number | null, to: number): readonly Key[] {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id));
  const [first = -1, last = -1] = places.toSorted((a, b) => a - b);
  return first === -1 ? [] : rows.slice(first, last + 1);
}

/** How many of the keys the viewer may revoke. A look with the same mark returns the same again, whatever was revoked since. */
export function revocableIn({ unused, connected, expired }: Seen, area: Role): number {
  return unused + connected + (area === "admin" ? expired : 0);
}

/** "40 unused, 12 connected", and "3 expired, 2 revoked already". */
export function revokedAndNot({ unused, connected, expired, revoked }: Seen, area: Role) {
  return area === "admin"
    ? { revoked: counted({ unused, connected, expired }), not: counted({ "revoked already": revoked }) }
    : { revoked: counted({ unused, connected }), not: counted({ expired, "revoked already": revoked }) };
}

function counted(kinds: Record<string, number>): string {
  return Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${countText(count)} ${kind}`)
    .join(", ");
}
