import { attempt } from "./storage.ts";

/** How a page of lists was left. */
interface Place {
  /** How many rows were loaded, by the hash of the list's query. */
  rows: Record<string, number>;
  y: number;
}

const placesName = "left-at";
/** Of the oldest entries in the history nothing is kept. */
const placesMax = 50;
const signsOfUser = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Names this page's entry in the history, also after it was left: an open sheet is another entry (back-closes.ts). */
let entry = 0;
let left: Place | null = null;
/** Where to scroll once the rows are there, unless the user moves first. */
let wantedY: number | null = null;
const shown: Place["rows"] = {};

/** How many rows this list had when this entry of the history was left. */
export function rowsLeft(list: string): number {
  return left?.rows[list] ?? 0;
}

/** Whether the page still has to be scrolled to where it was left. */
export function isReturning(): boolean {
  return wantedY !== null;
}

/** Called once these rows are in the page. It may be as long again as it was only when its last list has come. */
export function rowsCame(list: string, count: number): void {
  shown[list] = count;
  if (wantedY === null) return;
  window.scrollTo(0, wantedY);
  if (Math.abs(window.scrollY - wantedY) < 1) wantedY = null;
}

function begin(): void {
  entry = window.history.state?.entry ?? performance.timeOrigin;
  window.history.replaceState({ ...window.history.state, entry }, "");
  left = places().find(([of]) => of === entry)?.[1] ?? null;
  wantedY = left?.y ?? null;
  const stay = () => {
    wantedY = null;
  };
  for (const sign of signsOfUser) window.addEventListener(sign, stay, { once: true, passive: true, capture: true });
  window.addEventListener("pagehide", leave);
}

function places(): [entry: number, Place][] {
  return attempt(() => JSON.parse(sessionStorage.getItem(placesName) ?? "[]")) ?? [];
}

/** A page that is left before its rows came keeps what it was to return to. */
function leave(): void {
  const place = wantedY !== null && left ? left : { rows: shown, y: window.scrollY };
  const all = [...places().filter(([of]) => of !== entry), [entry, place]].slice(-placesMax);
  attempt(() => sessionStorage.setItem(placesName, JSON.stringify(all)));
}

if (typeof window !== "undefined") begin();
