import { FocusScope } from "radix-ui/internal";
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useBackCloses } from "../../runtime/back-closes.ts";
import { isPhone } from "../../runtime/media.ts";
import { doublePressMs } from "../../runtime/once.ts";
import { noteNeighbours } from "../focus.ts";

/**
 * A dialog floats in the middle from 768 px on; below that it rises from the bottom as a sheet. Dialog and Confirm
 * share this look.
 */
export const scrimLook =
  "fixed inset-0 z-40 bg-scrim data-[state=open]:animate-appear data-[state=closed]:animate-vanish";

export const surfaceLook = [
  "fixed z-50 flex flex-col border-line bg-overlay lifted outline-none",
  // Too low for a head and buttons that stay, such as a phone at 400 %: everything scrolls together.
  "[@media(max-height:30rem)]:overflow-y-auto [@media(max-height:30rem)]:overscroll-contain",
  "max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[max(10rem,min(92dvh,100dvh-var(--sticky-top)-var(--toast,0px)))] max-md:rounded-t-xl max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]",
  "max-md:data-[state=open]:animate-rise max-md:data-[state=closed]:animate-sink",
  "md:inset-x-0 md:inset-y-(--sticky-top) md:m-auto md:h-fit md:max-h-[min(85dvh,48rem,100dvh-2*var(--sticky-top))] md:rounded-xl md:border",
  "md:data-[state=open]:animate-settle md:data-[state=closed]:animate-unsettle",
].join(" ");

/** On phones a drag takes hold of it. */
export const headLook = "shrink-0 touch-none px-4 pt-2 pb-4 md:touch-auto md:px-5 md:pt-5";

/**
 * How every dialog behaves: Esc, Back on a phone and a drag on its head close it, and it gives the focus back. Without
 * a `close` it stays open. Spread `content` on Radix's content, and `drag` on the head of a sheet.
 */
export function useSurface(open: boolean, close: (() => void) | null, onClosed?: () => void) {
  const sheet = useRef<HTMLDivElement>(null);
  const focusReturn = useFocusReturn(onClosed);
  const drag = useSheetDrag(sheet, close);
  useBackCloses(open, close);
  return {
    sheet,
    drag,
    // While it leaves, the second press of a double click must not start again what closed it.
    content: { ref: sheet, inert: !open, ...focusReturn, ...escapeCloses(sheet, () => close?.()) },
  };
}

/**
 * Gives the focus back to what had it when a dialog opened. Radix does so for its own trigger only; ours are opened by
 * any row, card or menu.
 */
function useFocusReturn(onClosed?: () => void) {
  const opener = useRef<HTMLElement | null>(null);
  const neighbour = useRef<() => HTMLElement | null>(null);
  const enterMs = useRef(Number.NEGATIVE_INFINITY);
  return {
    onKeyDownCapture: ({ key, timeStamp }: KeyboardEvent) => {
      if (key === "Enter") enterMs.current = timeStamp;
    },
    // Radix calls this before it moves the focus inside, to the first control unless another is marked.
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
      // The action may have removed the button, and its row with it.
      const target = opener.current?.isConnected ? opener.current : neighbour.current?.();
      target?.focus({ preventScroll: true });
      if (target) ignoreSecondEnter(target, enterMs.current);
      onClosed?.();
    },
  };
}

/**
 * The first of two Enters, or of one that is held, may have closed the dialog: the next must not press the button that
 * opened it.
 */
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

/** Escapes that Radix sent to a dialog although another one is open over it. */
const misdirected = new WeakSet<Event>();

/**
 * Radix sends Esc to the layer that opened last, which may be a toast about the dialog's own work. Pressed in a dialog
 * it means the dialog, so that closes too. Where Radix closed something itself, the event is marked, and this does
 * nothing. But Radix notices a dialog over another one only some frames after that has the focus, and would close the
 * lower one.
 */
function escapeCloses(content: RefObject<HTMLElement | null>, close: () => void) {
  return {
    onEscapeKeyDown(event: globalThis.KeyboardEvent) {
      const pressedIn = (event.target as Element | null)?.closest("[role=dialog], [role=alertdialog]");
      if (!pressedIn || pressedIn === content.current) return;
      event.preventDefault();
      misdirected.add(event);
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key === "Escape" && (!event.defaultPrevented || misdirected.has(event.nativeEvent))) close();
    },
  };
}

/** The banner and the toasts lie over an open dialog and can be used there (shell/notices.tsx marks their element). */
const overDialogs = "[data-over-dialogs]";

/** For the dialog's `onInteractOutside`: a press on the banner or a toast must not close the dialog. */
export function spareOverDialogs(event: Event): void {
  if ((event.target as Element | null)?.closest(overDialogs)) event.preventDefault();
}

/**
 * Rendered inside a dialog's content, so that its focus trap knows the banner and the toasts: F8 goes to the toast, and
 * a link in the banner can be pressed. Tab leads from there back to the last position in the dialog, and not to the
 * page behind it.
 */
export function OverDialogs({ dialog }: { dialog: RefObject<HTMLElement | null> }) {
  const [over] = useState(() => document.querySelector<HTMLElement>(overDialogs));
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
    // Capturing, so that they run before the trap, which would hold the focus where it is.
    const ending = new AbortController();
    document.addEventListener("focusin", note, { capture: true, signal: ending.signal });
    document.addEventListener("focusout", leave, { capture: true, signal: ending.signal });
    return () => ending.abort();
  }, [dialog, over]);
  return null;
}

/** A drag further than this, or faster than this, closes the sheet; after anything less it falls back. */
export const sheetDragPixelsMin = 96;
const sheetFlickPixelsPerMsMin = 0.5;
const sheetFallBackMs = 150;

/**
 * A downward drag on the sheet's head closes it. Only the head handles pointer events, so that the body keeps
 * scrolling. On wider screens, where the dialog is not a sheet, and without a `close`, they do nothing.
 */
function useSheetDrag(sheet: RefObject<HTMLElement | null>, close: (() => void) | null) {
  const start = useRef<{ y: number; at: number } | null>(null);

  function grab(event: PointerEvent) {
    const pressedControl = (event.target as Element).closest("button, a, input, select, textarea");
    if (!close || pressedControl || event.button !== 0 || !isPhone()) return;
    start.current = { y: event.clientY, at: event.timeStamp };
    event.currentTarget.setPointerCapture?.(event.pointerId);
  }

  function pull(event: PointerEvent) {
    if (!start.current || !sheet.current) return;
    sheet.current.style.transition = "none";
    sheet.current.style.transform = `translateY(${Math.max(0, event.clientY - start.current.y)}px)`;
  }

  function release(event: PointerEvent) {
    if (!start.current || !sheet.current) return;
    const pulledPixels = event.clientY - start.current.y;
    const elapsedMs = Math.max(1, event.timeStamp - start.current.at);
    start.current = null;
    const flicked = pulledPixels > 24 && pulledPixels / elapsedMs > sheetFlickPixelsPerMsMin;
    if (close && event.type === "pointerup" && (pulledPixels > sheetDragPixelsMin || flicked)) return close();
    sheet.current.style.transition = `transform ${sheetFallBackMs}ms`;
    sheet.current.style.transform = "";
  }

  return { onPointerDown: grab, onPointerMove: pull, onPointerUp: release, onPointerCancel: release };
}
