import type { KeyboardEvent, RefObject } from "react";

/** What Radix gave to a dialog that another one already stood over. */
const misled = new WeakSet<Event>();

/**
 * Spread on a dialog's content. Radix gives Esc to whatever opened last, and that may be a toast which tells how something in the dialog went.
 * Whoever presses it in a dialog means the dialog, so that closes as well. Where Radix closed something itself, the event is marked, and
 * this does nothing. But Radix learns of a question over a dialog only some frames after that has the focus, and would close the dialog under it.
 */
export function escapeCloses(content: RefObject<HTMLElement | null>, close: () => void) {
  return {
    onEscapeKeyDown(event: globalThis.KeyboardEvent) {
      const pressedIn = (event.target as Element | null)?.closest("[role=dialog], [role=alertdialog]");
      if (!pressedIn || pressedIn === content.current) return;
      event.preventDefault();
      misled.add(event);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key === "Escape" && (!event.defaultPrevented || misled.has(event.nativeEvent))) close();
    },
  };
}
