import { useSignals } from "@preact/signals-react/runtime";
import { RotateCw, TriangleAlert } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { sessionLost } from "../state/signals.ts";
import { Button, LinkButton } from "./button.tsx";

/** Something could not be loaded: the message, a retry, and the login if the session is lost. */
export function ErrorState({
  message,
  onRetry,
  retrying = false,
}: {
  message: string;
  onRetry: () => void;
  retrying?: boolean;
}) {
  useSignals();
  const place = useFocusHandedOn();
  return (
    <div ref={place} role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span
        aria-hidden
        className="mb-4 grid size-11 place-items-center rounded-lg border border-danger-line bg-danger-soft text-danger-text"
      >
        <TriangleAlert size={20} />
      </span>
      <p className="max-w-md font-medium">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        {/* In another tab, so that typed text on this page is kept; on return the page has loaded the rest. */}
        {sessionLost.value && (
          <LinkButton href="/" target="_blank" rel="noopener noreferrer" variant="primary">
            Log in again
            <span className="sr-only"> (opens in a new tab)</span>
          </LinkButton>
        )}
        <Button icon={<RotateCw size={16} />} busy={retrying} onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  );
}

/** A successful Retry removes its button, and passes the focus to the content: to its list, or else to the page. */
function useFocusHandedOn() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    const around = element?.parentElement;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      // The new content exists only then.
      queueMicrotask(() => {
        const control = around?.isConnected && around.querySelector<HTMLElement>("button:not(:disabled), a[href]");
        (control || document.getElementById("content"))?.focus({ preventScroll: true });
      });
    };
  }, []);
  return place;
}
