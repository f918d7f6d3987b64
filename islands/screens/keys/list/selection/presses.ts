import { useStore } from "jotai";
import { useEffectEvent, useLayoutEffect } from "react";
import { isPhone } from "../../../../runtime/media.ts";
import { choosingAtom } from "../../../../state/atoms.ts";
import type { Key } from "../columns.tsx";
import { clearAtom, isChoosingAtom, pressAtom } from "./selection.ts";

/** A finger that rests so long means the row, and not what is under it. */
const longPressMs = 450;
const restPixels = 10;

/**
 * What chooses rows: a press on the box, with Shift all from the one before; a press on a row while any are chosen; on a phone a long
 * press; at a keyboard Space, and the arrows from box to box, with Shift taking along. Esc lets go of all.
 */
export function usePresses(rows: readonly Key[]): void {
  const store = useStore();
  const press = (id: number, range: boolean) => store.set(pressAtom, { id, range, rows });

  const onClick = useEffectEvent((event: MouseEvent) => {
    const row = rowOf(event.target);
    if (!row) return;
    const target = event.target as Element;
    if (target.closest("[data-box]")) return press(row.id, event.shiftKey);
    if (!store.get(isChoosingAtom)) return;
    if (!isPhone() && (target.closest("a, button") || window.getSelection()?.isCollapsed === false)) return;
    event.preventDefault();
    event.stopPropagation();
    press(row.id, event.shiftKey);
  });

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element;
    if (event.key === "Escape" && !target.closest(keepsEscape) && store.get(isChoosingAtom)) store.set(clearAtom);
    const row = target.matches("[data-box] input") ? rowOf(target) : null;
    const beside = row && besideOf(row.element, event.key);
    if (!row || !beside) return;
    event.preventDefault();
    beside.querySelector<HTMLInputElement>("[data-box] input")?.focus();
    const next = rowOf(beside);
    if (!event.shiftKey || !next) return;
    if (!row.isChosen) press(row.id, false);
    press(next.id, true);
  });

  const onRangeBegun = useEffectEvent((event: MouseEvent) => {
    const isBox = (event.target as Element).closest("[data-box]");
    if (isBox || (store.get(isChoosingAtom) && rowOf(event.target))) event.preventDefault();
  });

  const onLongPress = useEffectEvent((element: Element) => {
    const row = rowOf(element);
    if (!row || !isPhone() || store.get(isChoosingAtom)) return false;
    store.set(choosingAtom, true);
    press(row.id, false);
    navigator.vibrate?.(10);
    return true;
  });

  // Before the boxes are painted: whoever sees them may press.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const capture = { capture: true, signal };
    let resting: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;
    /** The click that a long press ends with is not one more press. */
    let endsLongPress = false;
    const lift = () => {
      clearTimeout(resting?.timer);
      resting = null;
    };
    const rest = ({ target, pointerType, clientX: x, clientY: y }: PointerEvent) => {
      lift();
      endsLongPress = false;
      if (pointerType !== "touch" || !rowOf(target)) return;
      const timer = setTimeout(() => {
        endsLongPress = onLongPress(target as Element);
      }, longPressMs);
      resting = { timer, x, y };
    };
    const move = ({ clientX, clientY }: PointerEvent) => {
      if (resting && Math.hypot(clientX - resting.x, clientY - resting.y) > restPixels) lift();
    };
    const click = (event: MouseEvent) => {
      if (!endsLongPress) return onClick(event);
      endsLongPress = false;
      event.preventDefault();
      event.stopPropagation();
    };
    // Its own menu would stand over the card, and end the press.
    const menu = (event: Event) => resting && event.preventDefault();
    // A range that is pressed with Shift selects no text.
    const down = (event: MouseEvent) => event.shiftKey && onRangeBegun(event);
    document.addEventListener("click", click, capture);
    document.addEventListener("keydown", onKeyDown, { signal });
    document.addEventListener("mousedown", down, { signal });
    document.addEventListener("pointerdown", rest, { signal });
    document.addEventListener("pointermove", move, { signal });
    document.addEventListener("contextmenu", menu, { signal });
    for (const end of ["pointerup", "pointercancel", "scroll"]) document.addEventListener(end, lift, capture);
    return () => {
      leaving.abort();
      lift();
    };
  }, []);
}

/** Where Esc closes or empties something else. */
const keepsEscape =
  '[role="dialog"], [role="alertdialog"], [role="menu"], input:not([type="checkbox"]), textarea, select';

/** The row of the list that this stands in. */
function rowOf(target: EventTarget | null) {
  const element = (target as Element | null)?.closest<HTMLElement>("[data-selectable] tbody tr");
  const box = element?.querySelector<HTMLInputElement>("[data-box] input");
  return element && box ? { element, id: Number(box.value), isChosen: box.checked } : null;
}

function besideOf(row: Element, key: string): Element | null {
  if (key === "ArrowDown") return row.nextElementSibling;
  return key === "ArrowUp" ? row.previousElementSibling : null;
}
