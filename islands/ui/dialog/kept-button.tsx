import { useEffect, useRef } from "react";
import { doublePressMs } from "../../runtime/once.ts";
import { Button } from "../button.tsx";

/**
 * The one way out of a dialog that `stays`, because it shows something this once. A press right after it came up may be the second one of
 * a double click that was meant for what stood there before; and while it is there, the browser asks before it leaves the page.
 */
export function KeptButton({ label, onKept }: { label: string; onKept: () => void }) {
  const shownMs = useRef(Number.POSITIVE_INFINITY);
  useEffect(() => {
    shownMs.current = performance.now();
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Button
      variant="primary"
      // Enter that is held since then presses again and again, for as long as it is held.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => performance.now() < shownMs.current + doublePressMs || onKept()}
    >
      {label}
    </Button>
  );
}
