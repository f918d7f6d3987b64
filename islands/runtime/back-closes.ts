import { useEffect, useEffectEvent } from "react";
import { isPhone } from "./media.ts";

/** Greater than the number of any earlier sheet, including those from before a reload. */
let lastSheet = performance.timeOrigin;
const openSheets = new Set<number>();
/** A choice in a sheet may change the address, which a step back would restore to what it was when the sheet opened. */
let addressNow = "";
/** The sheets that wait while the history step of a closed sheet is being undone. */
let waiting: (() => void)[] | null = null;

/**
 * On a phone Back closes the open sheet instead of the page: an open sheet is a step in the history. Closing it
 * otherwise undoes the step, and following a link in it replaces the step. Without a `close` the sheet stays.
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
    // A step back restores the address of the moment the sheet was opened.
    if (open && isTopmost(sheetOf(window.history.state))) addressNow = window.location.href;
  });
}

function takeBack(): void {
  addressNow = window.location.href;
  waiting = [];
  window.history.back();
}

/**
 * The sheet that this history step belongs to; 0 for the page's own. A sheet over another one has the greater number.
 */
function sheetOf(state: unknown): number {
  return Number((state as { sheet?: number } | null)?.sheet ?? 0);
}

function isTopmost(sheet: number): boolean {
  return sheet === Math.max(...openSheets);
}

/** Registered before the listeners that read the address, which are loaded later (state/url-state.ts). */
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
