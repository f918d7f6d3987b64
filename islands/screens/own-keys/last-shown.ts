import { useState } from "react";

/** What a dialog showed last: while it leaves the page, it still has to show something. */
export function useLastShown<Shown>(now: Shown | null): Shown | null {
  const [last, setLast] = useState(now);
  if (now !== null && now !== last) setLast(now);
  return now ?? last;
}
