import { useEffect } from "react";

const signsOfUser = ["pointermove", "pointerdown", "keydown", "focusin", "scroll"] as const;

/**
 * Fetches a part that the page may need next, such as a dialog, at the first sign of a user: early enough to open at
 * once, but not as part of the page itself.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const ending = new AbortController();
    const start = (event: Event) => {
      if (!isOfResting(event) && fetchAhead(load)) ending.abort();
    };
    for (const sign of signsOfUser) {
      window.addEventListener(sign, start, { passive: true, signal: ending.signal });
    }
    return () => ending.abort();
  }, [load]);
}

/** A page that opens under a resting pointer gets a movement of 0 pixels, which is no sign of a user. */
function isOfResting(event: Event): boolean {
  if (!(event instanceof PointerEvent) || event.type !== "pointermove") return false;
  return event.movementX === 0 && event.movementY === 0;
}

/** For a button that opens a lazy part: fetching starts when the pointer or the focus arrives. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void fetchAhead(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}

/** Returns whether there was a network: a browser that tried without one would not try again. */
export function fetchAhead(load: () => Promise<unknown>): boolean {
  // A failed fetch is repeated when the part is needed.
  if (navigator.onLine) load().catch(() => {});
  return navigator.onLine;
}
