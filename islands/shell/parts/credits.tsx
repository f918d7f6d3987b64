import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { profileQuery } from "../../api/calls/session.ts";
import { creditsText } from "../../format.ts";
import { prefersLessMotion } from "../../runtime/media.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The balance in the header and the sidebar. Both read the one profile that screens refetch after a purchase. */
export function Credits() {
  const { data, isError } = useQuery(profileQuery);
  if (data) return <Balance credits={data.credits} />;
  return isError ? <span title="The credits could not be loaded">–</span> : <Skeleton className="w-12" />;
}

function Balance({ credits }: { credits: number }) {
  return <span className="figures">{creditsText(useCounting(credits))}</span>;
}

const countMs = 600;

/**
 * Counts up or down to a new figure in whole steps, so that its decimals, and with them its width, are those of the
 * end.
 */
export function useCounting(figure: number): number {
  const [shown, setShown] = useState(figure);
  const last = useRef(figure);
  useEffect(() => {
    const difference = last.current - figure;
    last.current = figure;
    if (difference === 0 || prefersLessMotion()) return setShown(figure);
    const begunAt = performance.now();
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);

    function step(now: number) {
      // The first frame may have begun before the figure changed.
      const left = Math.max(0, 1 - Math.max(0, now - begunAt) / countMs);
      setShown(figure + Math.round(difference * left ** 3));
      if (left > 0) frame = requestAnimationFrame(step);
    }
  }, [figure]);
  return shown;
}
