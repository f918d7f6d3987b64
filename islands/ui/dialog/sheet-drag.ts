import { type PointerEvent, type RefObject, useRef } from "react";
import { isPhone } from "../../runtime/phone.ts";

/** A drag further than this, or faster than this, closes the sheet; anything less lets it fall back. */
export const sheetDragPixelsMin = 96;
const sheetFlickPixelsPerMsMin = 0.5;
const sheetFallBackMs = 150;

/**
 * A downward drag on the sheet's head closes it. The pointer events go on the head alone, so that the body keeps scrolling; on wider
 * screens, where the dialog is no sheet, and where there is no `close`, they do nothing.
 */
export function useSheetDrag(sheet: RefObject<HTMLElement | null>, close: (() => void) | null) {
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
