import { useSyncExternalStore } from "react";

/** A page one of whose scripts never comes must not wait for it. */
const waitMsMax = 5_000;

const sleeping = "[data-island]:not([data-ready])";
const waiting = new Set<() => void>();

/** Told for each island that can be used. */
export function markHydrated(container: HTMLElement): void {
  container.setAttribute("data-ready", "");
  if (document.querySelector(sleeping)) return;
  for (const goOn of waiting) goOn();
  waiting.clear();
}

/**
 * Islands share what was fetched, but each is hydrated when its own script has come, and has to find the data as the server did: not
 * there yet. So an answer may come as early as it likes, and is let in once the whole page is awake.
 */
export function pageHydrated(): Promise<void> {
  if (!document.querySelector(sleeping)) return Promise.resolve();
  return new Promise((resolve) => {
    waiting.add(resolve);
    setTimeout(resolve, waitMsMax);
  });
}

/** False on the server and in the first render of the browser, then true: for what only the browser can know. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
