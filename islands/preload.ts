import { useEffect } from "react";

const signsOfSomebody = ["pointermove", "pointerdown", "keydown", "focusin", "scroll"] as const;

/**
 * Fetches what the page may want next, such as a dialog, at the first sign of somebody at it: in time to open at once, and no part of
 * what the page needs to be read.
 */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const ending = new AbortController();
    const start = () => {
      ending.abort();
      // What cannot be fetched now is asked for again when it is wanted.
      load().catch(() => {});
    };
    for (const sign of signsOfSomebody) {
      window.addEventListener(sign, start, { passive: true, signal: ending.signal });
    }
    return () => ending.abort();
  }, [load]);
}
