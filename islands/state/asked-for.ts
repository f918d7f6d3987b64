import { useEffect, useEffectEvent } from "react";

/**
 * A link may lead to what a page opens: `/admin/tokens#new`. Told each time that somebody comes by it; the address is a plain one
 * afterwards, so that a reload opens nothing again.
 */
export function useAskedFor(name: string, open: () => void): void {
  const tell = useEffectEvent(open);
  useEffect(() => {
    const look = () => {
      const { hash, pathname, search } = window.location;
      if (hash !== `#${name}`) return;
      window.history.replaceState(window.history.state, "", pathname + search);
      tell();
    };
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, [name]);
}

/** The same from this very page, without a step in its history. */
export function askPageFor(hash: string): void {
  window.history.replaceState(window.history.state, "", hash);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
