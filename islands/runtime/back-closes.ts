import { useEffect, useEffectEvent } from "react";
import { isPhone } from "./media.ts";

/** Greater than that of any sheet before, also of those that a reload forgot. */
let lastSheet = performance.timeOrigin;
const openSheets = new Set<number>();
/** What is chosen in a sheet may change the address, which a step back would turn to what it was when the sheet was opened. */
let addressNow = "";
/** While the step of a closed sheet is being taken back: the sheets that wait for it. */
let waiting: (() => void)[] | null = null;

/**
 * On a phone Back closes the sheet that is open, and not the page under it: an open sheet is a step in the history. One that is closed
 * otherwise takes its step back, and a link in it takes the place of the step. Without a `close` the sheet stays.
 */
export function useBackCloses(open: boolean, close: (() => void) | null): void {
  const goBack = useEffectEvent((stay: () => void) => (close ? close() : stay()));
  useEffect(() => {
    if (!open || !isPhone()) return;
    lastSheet += 1;
    const sheet = lastSheet;
    const step = () => openSheets.has(sheet) && window.history.pushState({ sheet }, "");
    const leave = () => waiting || sheetOf(window.history.state) >= sheet || goBack(step);
    const isOnTop = () => sheetOf(window.history.state) === sheet;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]:not([target], [download])");
      if (!link || event.defaultPrevented || !isOnTop()) return;
      event.preventDefault();
      window.location.replace(link.href);
    };
    openSheets.add(sheet);
    if (waiting) waiting.push(step);
    else step();
    window.addEventListener("popstate", leave);
    document.addEventListener("click", follow);
    return () => {
      openSheets.delete(sheet);
      window.removeEventListener("popstate", leave);
      document.removeEventListener("click", follow);
      if (isOnTop()) takeBack();
    };
  }, [open]);
  useEffect(() => {
    // After a step back it says what it said when the sheet was opened.
    if (open && isTopmost(sheetOf(window.history.state))) addressNow = window.location.href;
  });
}

function takeBack(): void {
  addressNow = window.location.href;
  waiting = [];
  window.history.back();
}

/** The sheet whose step this is; 0 for a page's own. A sheet over another one has the greater number. */
function sheetOf(state: unknown): number {
  return Number((state as { sheet?: number } | null)?.sheet ?? 0);
}

function isTopmost(sheet: number): boolean {
  return sheet === Math.max(...openSheets);
}

/** Told before whoever reads the address, which is loaded after this (state/url-state.ts). */
function passClosedSheets({ state }: PopStateEvent): void {
  const sheet = sheetOf(state);
  if (sheet !== 0 && !openSheets.has(sheet)) {
    window.history.back();
    return;
  }
  const leftOpen = openSheets.size > 0 && !isTopmost(sheet);
  if (waiting || leftOpen) window.history.replaceState(state, "", addressNow);
  const steps = waiting ?? [];
  waiting = null;
  for (const step of steps) step();
}

if (typeof window !== "undefined") window.addEventListener("popstate", passClosedSheets);
