import { type KeyboardEvent, useRef } from "react";
import { doublePressMs } from "../../runtime/once.ts";
import { noteNeighbours } from "../focus/neighbour.ts";

/**
 * Gives the focus back to what had it when a dialog opened. Radix does so for its own trigger only; ours are opened by whatever row,
 * card or menu was pressed. Spread it on the dialog's content.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  const neighbour = useRef<() => HTMLElement | null>(null);
  const enterMs = useRef(Number.NEGATIVE_INFINITY);
  return {
    onKeyDownCapture: ({ key, timeStamp }: KeyboardEvent) => {
      if (key === "Enter") enterMs.current = timeStamp;
    },
    // Radix says this before it moves the focus inside, to the first control unless another is marked.
    onOpenAutoFocus: (event: Event) => {
      opener.current = document.activeElement as HTMLElement | null;
      neighbour.current = noteNeighbours(opener.current);
      const marked = (event.currentTarget as Element | null)?.querySelector<HTMLElement>("[data-autofocus]");
      if (!marked) return;
      event.preventDefault();
      marked.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // What was done may have taken the button away, and its row with it.
      const target = opener.current?.isConnected ? opener.current : neighbour.current?.();
      target?.focus({ preventScroll: true });
      if (target) ignoreSecondEnter(target, enterMs.current);
    },
  };
}

/** Of Enter pressed twice, or held, the first may have closed the dialog: the next must not press what opened it and has the focus again. */
function ignoreSecondEnter(target: HTMLElement, firstMs: number): void {
  const ending = new AbortController();
  const ignore = (event: globalThis.KeyboardEvent) => {
    const isSecond = event.key === "Enter" && (event.repeat || event.timeStamp < firstMs + doublePressMs);
    if (!isSecond) return ending.abort();
    event.preventDefault();
    event.stopPropagation();
  };
  target.addEventListener("keydown", ignore, { signal: ending.signal });
  target.addEventListener("blur", () => ending.abort(), { signal: ending.signal });
}
