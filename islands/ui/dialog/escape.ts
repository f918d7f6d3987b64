import type { KeyboardEvent } from "react";

/**
 * Radix gives Esc to whatever opened last, and that may be a toast which tells how something in the dialog went. Whoever presses it in a
 * dialog means the dialog, so that closes as well. Where Radix closed something itself, the event is marked, and this does nothing.
 */
export function closeOnEscape(close: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented) close();
  };
}
