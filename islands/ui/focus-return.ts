import { useRef } from "react";

/**
 * Gives the focus back to what had it when a dialog opened. Radix does so for its own trigger only; ours are opened by whatever row,
 * card or menu was pressed. Spread it on the dialog's content.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    // Radix says this before it moves the focus inside.
    onOpenAutoFocus: () => {
      opener.current = document.activeElement as HTMLElement | null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      opener.current?.focus({ preventScroll: true });
    },
  };
}
