import { useEffect, useRef, useState } from "react";
import { prefersLessMotion } from "../runtime/motion.ts";

const countMs = 600;

/** A figure that counts to what it becomes, in whole steps: so its decimal, and with it its width, is that of the end. */
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
