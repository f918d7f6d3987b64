import { type RefObject, useEffect, useRef } from "react";
import { prefersLessMotion } from "../../runtime/motion.ts";

/** Long enough to be found by the eye in a long list; nothing waits for it. */
const washMs = 1_400;

/** Washes a row once in colour when what it shows has become something else: it says which one it was. */
export function useWash(row: unknown): RefObject<HTMLTableRowElement | null> {
  const element = useRef<HTMLTableRowElement>(null);
  // A list that is fetched again has other objects, and mostly the same in them.
  const shows = JSON.stringify(row);
  const shown = useRef(shows);
  useEffect(() => {
    if (shown.current === shows) return;
    shown.current = shows;
    if (prefersLessMotion()) return;
    element.current?.animate?.([{ backgroundColor: "var(--color-brass-soft)" }, {}], { duration: washMs });
  }, [shows]);
  return element;
}
