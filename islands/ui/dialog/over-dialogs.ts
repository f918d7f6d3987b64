import { FocusScope } from "radix-ui/internal";
import { type RefObject, useEffect, useState } from "react";

const place = "[data-over-dialogs]";

/** What stands over an open dialog, and can be used there: the banner and the toasts (frame/notices.tsx says which element that is). */
function placeOverDialogs(): HTMLElement | null {
  return document.querySelector<HTMLElement>(place);
}

/** For the dialog's `onInteractOutside`: a press there is none beside the dialog, which would close it. */
export function spareOverDialogs(event: Event): void {
  if ((event.target as Element | null)?.closest(place)) event.preventDefault();
}

/**
 * Called inside a dialog's content, as its focus trap has to know of the place too: F8 goes to the toast, and a link in the banner can be
 * pressed. Whoever tabs on from there comes back to where they were in the dialog, and not to the page behind it.
 */
export function OverDialogs({ dialog }: { dialog: RefObject<HTMLElement | null> }) {
  const [over] = useState(placeOverDialogs);
  FocusScope.useFocusScopeBranch(over);
  useEffect(() => {
    let last: HTMLElement | null = null;
    const note = ({ target }: FocusEvent) => {
      if (dialog.current?.contains(target as Node)) last = target as HTMLElement;
    };
    const leave = (event: FocusEvent) => {
      const next = event.relatedTarget as Node | null;
      if (!next || !over?.contains(event.target as Node) || over.contains(next) || dialog.current?.contains(next))
        return;
      event.stopPropagation();
      (last?.isConnected ? last : dialog.current)?.focus();
    };
    // Before the trap hears of it, which would hold the focus where it is.
    const options = { capture: true };
    document.addEventListener("focusin", note, options);
    document.addEventListener("focusout", leave, options);
    return () => {
      document.removeEventListener("focusin", note, options);
      document.removeEventListener("focusout", leave, options);
    };
  }, [dialog, over]);
  return null;
}
