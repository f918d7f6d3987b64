import { atom } from "jotai";
import { atomWithStorage } from "jotai/utils";
import { attempt } from "../runtime/storage.ts";

/*
 * Settings that a user expects to find again on another page (docs/decisions/what-a-person-set.md). Filters of a list
 * are in the address; these have no place there.
 */

/**
 * `auto` follows the width: collapsed from 768 to 1023 px, expanded from 1024 px on. The other two override that, each
 * only in the range where it differs, so crossing 1024 px restores the automatic state.
 */
export type SidebarChoice = "auto" | "collapsed" | "expanded";

/** Also read by the script in the page's head, before the first paint. */
export const sidebarName = "sidebar";

export const sidebarAtom = storedAtom<SidebarChoice>(sidebarName, "auto", () => localStorage);

/** The query string of the list of resellers when it was left in this tab, for the way back. */
export const resellersLeftAtAtom = storedAtom<string>("resellers-left-at", "", () => sessionStorage);

/** The text sent along with keys that are shared or copied as a message; empty by default. */
export const messageAtom = storedAtom<string>("message", "", () => localStorage);

/** Whether rows of the page's list are being selected, so that a press selects one. It ends with the page. */
export const choosingAtom = atom(false);

/** Plain text in browser storage. The first render has the initial text, as on the server; the stored text follows. */
function storedAtom<Text extends string>(name: string, initial: Text, storage: () => Storage) {
  return atomWithStorage<Text>(name, initial, {
    getItem: () => (attempt(() => storage().getItem(name)) as Text | null | undefined) ?? initial,
    setItem: (_, text) => attempt(() => storage().setItem(name, text)),
    removeItem: () => attempt(() => storage().removeItem(name)),
  });
}
