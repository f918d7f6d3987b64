import { useEffect } from "react";

const signsOfSomebody = ["pointermove", "pointerdown", "keydown", "focusin", "scroll"] as const;

/**
 * Fetches what the page may want next, such as a dialog, at the first sign of somebody at it: in time to open at once, and no part of
 * what the page needs to be read.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const ending = new AbortController();
    const start = (event: Event) => {
      if (!isOfResting(event) && fetchAhead(load)) ending.abort();
    };
    for (const sign of signsOfSomebody) {
      window.addEventListener(sign, start, { passive: true, signal: ending.signal });
    }
    return () => ending.abort();
  }, [load]);
}

/** A browser tells a page that opens under a resting pointer where that is, as a movement of 0 pixels. Nobody need be there. */
function isOfResting(event: Event): boolean {
  if (!(event instanceof PointerEvent) || event.type !== "pointermove") return false;
  return event.movementX === 0 && event.movementY === 0;
}

/** For a button that opens a lazy part: its script is on its way as soon as the pointer or the focus comes near. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void fetchAhead(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}

/** Answers whether there was a network to try it with: a browser that tried without would not try again. */
export function fetchAhead(load: () => Promise<unknown>): boolean {
  // What cannot be fetched now is asked for again when it is wanted.
  if (navigator.onLine) load().catch(() => {});
  return navigator.onLine;
}
