import { clsx } from "clsx";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../button.tsx";

export interface ListEndProps {
  hasMore?: boolean;
  loadingMore?: boolean;
  /** The last requested page failed to load. */
  moreFailed?: boolean;
  /** Other rows are loading, so the end of the current ones must not load more. */
  refreshing?: boolean;
  /** Called near the end of the list, and by the button. */
  onReachEnd?: () => void;
}

/** Below a list that is loaded page by page: loads the next page on scrolling or on a press, and reports a failure. */
export function ListEnd(props: ListEndProps & { rowCount: number; className: string }) {
  const { rowCount, className, hasMore = false, loadingMore = false, moreFailed = false, refreshing = false } = props;
  const { onReachEnd } = props;
  const sentinel = useReachEnd(hasMore && !loadingMore && !refreshing, onReachEnd, rowCount);
  if ((!hasMore && !moreFailed) || rowCount === 0) return null;
  return (
    <div ref={sentinel} className={clsx("flex flex-wrap items-center justify-center gap-x-3 gap-y-1", className)}>
      {moreFailed && <span role="alert">Could not load more.</span>}
      <Button variant="ghost" size="small" busy={loadingMore} busyText="Loading more..." onClick={() => onReachEnd?.()}>
        {moreFailed ? "Retry" : "Load more"}
      </Button>
    </div>
  );
}

/** Loaded before it is visible, so that scrolling does not stop at the end of a page. */
const aheadPixels = 800;

/**
 * Calls `onReach` when the returned element comes near the window. `rowCount` restarts the observer after each page: it
 * reports changes only, and a short page leaves the element where it was.
 */
function useReachEnd(watching: boolean, onReach: (() => void) | undefined, rowCount: number) {
  const element = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(() => onReach?.());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row count restarts the watch, as said above.
  useEffect(() => {
    if (!watching || !element.current || typeof IntersectionObserver === "undefined") return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) reach();
      },
      { rootMargin: `0px 0px ${aheadPixels}px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [watching, rowCount]);
  return element;
}
