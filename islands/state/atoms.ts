import { atomWithStorage } from "jotai/utils";

/**
 * `auto` follows the width: collapsed from 768 to 1023 px, expanded from 1024 px on. The other two are what a person chose against
 * that, and each counts only in the range where it differs, so crossing 1024 px brings the automatic state back.
 */
export type SidebarChoice = "auto" | "collapsed" | "expanded";

export const sidebarAtom = atomWithStorage<SidebarChoice>("sidebar", "auto", {
  getItem: (name, fallback) => (stored(name) as SidebarChoice | null) ?? fallback,
  setItem: (name, choice) => store(name, choice),
  removeItem: (name) => store(name, "auto"),
});

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Plain text, because the script in the page's head reads it before the first paint. */
function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // A browser that keeps nothing starts from the automatic state on each page.
  }
}
