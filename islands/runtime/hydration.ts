import { useSyncExternalStore } from "react";

/** A page must not wait forever for a script that never arrives. */
const waitMsMax = 5_000;

const sleeping = "[data-island]:not([data-ready])";
const waiting = new Set<() => void>();

/** Called for each island that is ready to use. */
export function markHydrated(container: HTMLElement): void {
  container.setAttribute("data-ready", "");
  if (document.querySelector(sleeping)) return;
  for (const goOn of waiting) goOn();
  waiting.clear();
}

/**
 * Islands share fetched data, but each hydrates when its own script arrives, and must render then what the server
 * rendered: no data yet. So responses may arrive early, and are delivered once the whole page is hydrated.
 */
export function pageHydrated(): Promise<void> {
  if (!document.querySelector(sleeping)) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.add(resolve);
    setTimeout(resolve, waitMsMax);
  });
}

/** False on the server and in the first render in the browser, then true: for what depends on the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
