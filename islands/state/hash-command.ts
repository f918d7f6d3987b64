import { useEffect, useEffectEvent } from "react";
import { type Guarded, useRights } from "../runtime/rights.ts";

/**
 * A link may name what the page should open, and about what: `/admin/tokens#new`, `#block-device=a3f1`. Calls `open`
 * each time such a link is followed, but not before what it needs is ready, and removes the hash, so that a reload does
 * not open it again. Nothing opens for a viewer without the right.
 */
export function useHashCommand(
  name: string,
  open: (about: string) => void,
  options: Guarded & { isReady?: boolean } = {},
): void {
  const { isReady = true, need } = options;
  const { may } = useRights();
  const tell = useEffectEvent((about: string) => may(need) && open(about));
  useEffect(() => {
    if (!isReady) return;
    const look = () => {
      const { hash, pathname, search } = window.location;
      const about = new URLSearchParams(hash.slice(1)).get(name);
      if (about === null) return;
      window.history.replaceState(window.history.state, "", pathname + search);
      tell(about);
    };
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, [name, isReady]);
}

/** Opens it from the page itself, without a step in the history. */
export function runHashCommand(hash: string): void {
  window.history.replaceState(window.history.state, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
