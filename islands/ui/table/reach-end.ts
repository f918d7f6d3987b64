import { type RefObject, useEffect, useRef } from "react";

/** Asked for before it is seen, so that scrolling does not stop at the end of a page. */
const aheadPixels = 800;

/**
 * Calls `onReach` when the returned element comes near the window. `rowCount` starts a new watch after each page: an observer
 * reports a change only, and a short page leaves the element where it was.
 */
export function useReachEnd(
  watching: boolean,
  onReach: (() => void) | undefined,
  rowCount: number,
): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(onReach);
  useEffect(() => {
    latest.current = onReach;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row count restarts the watch, as said above.
  useEffect(() => {
    if (!watching || !element.current || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) latest.current?.();
      },
      { rootMargin: `0px 0px ${aheadPixels}px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [watching, rowCount]);
  return element;
}
