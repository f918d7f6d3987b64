import { useSyncExternalStore } from "react";

/** False on the server and in the first render of the browser, then true: for what only the browser can know. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}
