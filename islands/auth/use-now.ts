import { useEffect, useState } from "react";
import { msPerSecond } from "../../src/core/clock.ts";

/** The server's time, which was `at` when the page got it. Once scripts run, it moves on every second. */
export function useNow(at: string): number {
  const [now, setNow] = useState(Date.parse(at));
  useEffect(() => {
    const begunAt = performance.now();
    const timer = setInterval(() => setNow(Date.parse(at) + performance.now() - begunAt), msPerSecond);
    return () => clearInterval(timer);
  }, [at]);
  return now;
}
