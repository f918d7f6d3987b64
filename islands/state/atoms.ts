import { atom } from "jotai";
import { atomWithStorage } from "jotai/utils";
import { attempt } from "../runtime/storage.ts";

/*
 * What a person set and expects to find again on another page (docs/decisions/what-a-person-set.md). A list's filters stand in the
 * address; here is what no address can say.
 */

/**
 * `auto` follows the width: collapsed from 768 to 1023 px, expanded from 1024 px on. The other two are what a person chose against
 * that, and each counts only in the range where it differs, so crossing 1024 px brings the automatic state back.
 */
export type SidebarChoice = "auto" | "collapsed" | "expanded";

/** The script in the page's head reads it too, before the first paint. */
export const sidebarName = "sidebar";

export const sidebarAtom = storedAtom<SidebarChoice>(sidebarName, "auto", () => localStorage);

/** The query string that the list of resellers was left at in this tab: the way back to the list leads there. */
export const resellersLeftAtAtom = storedAtom<string>("resellers-left-at", "", () => sessionStorage);

/** What goes along with keys that are shared or copied as a message; `""` where nobody set one. */
export const messageAtom = storedAtom<string>("message", "", () => localStorage);

/** Whether rows of the page's list are being chosen, so that a press on one chooses it. Nobody expects to find that on another page. */
export const choosingAtom = atom(false);

/** Plain text in the browser's storage. As on the server, the first render has the initial text; what is stored follows it. */
function storedAtom<Text extends string>(name: string, initial: Text, storage: () => Storage) {
  return atomWithStorage<Text>(name, initial, {
    getItem: () => (attempt(() => storage().getItem(name)) as Text | null | undefined) ?? initial,
    setItem: (_, text) => attempt(() => storage().setItem(name, text)),
    removeItem: () => attempt(() => storage().removeItem(name)),
  });
}
