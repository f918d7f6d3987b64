import { useEffect } from "react";

const waitMsMax = 2_000;

/** Fetches what the page may want later, such as a dialog, once the browser has nothing better to do. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    // What cannot be fetched now is asked for again when it is wanted.
    const start = () => void load().catch(() => {});
    if (typeof requestIdleCallback === "undefined") {
      const timer = setTimeout(start, waitMsMax);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(start, { timeout: waitMsMax });
    return () => cancelIdleCallback(idle);
  }, [load]);
}
