import { useAtom } from "jotai";
import { useEffect, useSyncExternalStore } from "react";
import { type SidebarChoice, sidebarAtom } from "../../state/atoms.ts";

/** Collapsed by itself from 768 to 1023 px (rules.md: Admin frame). */
const wide = "(min-width: 1024px)";

/**
 * The sidebar's state and how to change it. What is shown follows from the width and `data-sidebar` on the root element, in CSS; the
 * page's head sets that attribute before the first paint, so that nothing moves. `expanded` is null until the width is known.
 */
export function useSidebarChoice(): { expanded: boolean | null; toggle: () => void } {
  const [choice, setChoice] = useAtom(sidebarAtom);
  const isWide = useSyncExternalStore(
    followWidth,
    () => window.matchMedia(wide).matches,
    () => null,
  );
  useEffect(() => {
    document.documentElement.dataset.sidebar = choice;
  }, [choice]);
  const expanded = isWide === null ? null : isExpanded(choice, isWide);
  return { expanded, toggle: () => setChoice(choiceAfter(expanded !== true, isWide === true)) };
}

function isExpanded(choice: SidebarChoice, isWide: boolean): boolean {
  return isWide ? choice !== "collapsed" : choice === "expanded";
}

/** What the width does by itself is no choice, and is not kept as one. */
function choiceAfter(expand: boolean, isWide: boolean): SidebarChoice {
  if (expand === isWide) return "auto";
  return expand ? "expanded" : "collapsed";
}

function followWidth(changed: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
