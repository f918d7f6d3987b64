import { atom } from "jotai";
import type { Role } from "../../../../../src/accounts/schema.ts";
import { selectedIdsMax } from "../../../../../src/keys/limits.ts";
import type { KeyScope, KeySelector, SelectionCounts } from "../../../../api/calls/key-selection.ts";
import { countText } from "../../../../format.ts";
import { choosingAtom } from "../../../../state/atoms.ts";
import type { Openable } from "../../../../ui/dialog/lazy-dialog.tsx";
import type { Key } from "../columns.tsx";

/** What the dialogs about selected keys have in common. */
export interface SelectedProps extends Openable {
  scope: KeyScope;
  selector: KeySelector;
  counts: SelectionCounts;
  onDone: () => void;
  onChanged: () => void;
}

type ById = ReadonlyMap<number, Key>;

/** All keys that matched the filters when they were counted. Keys generated later have greater ids than the newest. */
interface All {
  selector: KeySelector;
  newestId: number;
  count: number;
}

/** The selected keys of the page's list: single ones, or all that match. */
export const chosenAtom = atom<ById | All>(new Map());

/** The start of a range: the key that was pressed last. */
export const anchorAtom = atom<number | null>(null);

export function isAll(chosen: ById | All): chosen is All {
  return "selector" in chosen;
}

export function isChosen(chosen: ById | All, id: number): boolean {
  return isAll(chosen) ? id <= chosen.newestId : chosen.has(id);
}

export const countAtom = atom((get) => {
  const chosen = get(chosenAtom);
  return isAll(chosen) ? chosen.count : chosen.size;
});

/** Whether a press on a row selects it. */
export const isChoosingAtom = atom((get) => get(choosingAtom) || get(countAtom) > 0);

export const clearAtom = atom(null, (_, set) => {
  set(chosenAtom, new Map());
  set(anchorAtom, null);
  set(choosingAtom, false);
});

interface Press {
  id: number;
  /** Selects everything between it and the previous press. */
  range: boolean;
  rows: readonly Key[];
}

/** Selects or deselects a key. Deselecting one of all leaves the other loaded keys selected. */
export const pressAtom = atom(null, (get, set, { id, range, rows }: Press) => {
  const before = get(chosenAtom);
  const chosen = new Map(isAll(before) ? entriesOf(rows.filter((row) => isChosen(before, row.id))) : before);
  const between = range ? rowsBetween(rows, get(anchorAtom), id) : [];
  if (between.length > 0) for (const row of between) chosen.set(row.id, row);
  else if (!chosen.delete(id)) for (const row of rows) if (row.id === id) chosen.set(id, row);
  // A call cannot name more; all that match need not be named.
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

/**
 * How many of the keys the viewer may revoke. A count with the same mark returns the same, whatever was revoked since.
 */
export function revocableIn({ unused, connected, expired }: SelectionCounts, area: Role): number {
  return unused + connected + (area === "admin" ? expired : 0);
}

/** "40 unused, 12 connected", and "3 expired, 2 already revoked". */
export function revokedAndNot({ unused, connected, expired, revoked }: SelectionCounts, area: Role) {
  return area === "admin"
    ? { revoked: counted({ unused, connected, expired }), not: counted({ "already revoked": revoked }) }
    : { revoked: counted({ unused, connected }), not: counted({ expired, "already revoked": revoked }) };
}

function counted(kinds: Record<string, number>): string {
  return Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${countText(count)} ${kind}`)
    .join(", ");
}
