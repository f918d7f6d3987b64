import { useStore } from "jotai";
import { useEffectEvent, useLayoutEffect } from "react";
import { isPhone } from "../../../../runtime/media.ts";
import { choosingAtom } from "../../../../state/atoms.ts";
import type { Key } from "../columns.tsx";
import { clearAtom, isChoosingAtom, pressAtom } from "./selection.ts";

/** A finger held this long means the row, and not the control under it. */
const longPressMs = 450;
const restPixels = 10;

/**
 * How rows are selected: by a press on the checkbox, with Shift for a range; by a press on a row while any are
 * selected; on a phone by a long press; with a keyboard by Space, and the arrows move between checkboxes, with Shift
 * selecting. Tab leads from a selected row to the bar and through it to the rest of the row. Esc clears the selection.
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
    if (event.key === "Tab" && passBar(target, event.shiftKey)) return event.preventDefault();
    const row = target.matches("[data-box] input") ? rowOf(target) : null;
    const neighbour = row && neighbourOf(row.element, event.key);
    if (!row || !neighbour) return;
    event.preventDefault();
    neighbour.querySelector<HTMLInputElement>("[data-box] input")?.focus();
    const next = rowOf(neighbour);
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

  // Before the checkboxes are painted, because a visible one can be pressed.
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const capture = { capture: true, signal };
    let resting: { timer: ReturnType<typeof setTimeout>; x: number; y: number } | null = null;
    /** The click that ends a long press is not another press. */
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
    // The browser's menu would cover the card and end the press.
    const menu = (event: Event) => resting && event.preventDefault();
    // A range selected with Shift selects no text.
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

/** The checkbox from which Tab led to the bar. */
let leftBox: Element | null = null;

/** Moves the focus into the bar, or out of it to where it came from. Returns whether it did. */
function passBar(from: Element, isBack: boolean): boolean {
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-selection-bar] button")];
  const isOut = from === (isBack ? buttons[0] : buttons.at(-1)) && leftBox?.isConnected;
  const isIn = !isBack && from.matches("[data-box] input:checked");
  if (buttons.length === 0 || !(isIn || isOut)) return false;
  const controls = [...document.querySelectorAll<HTMLElement>("[data-selectable] :is(a[href], button, input)")];
  const place = controls.indexOf(leftBox as HTMLElement);
  const target = isIn ? buttons[0] : controls[isBack ? place : place + 1];
  if (isIn) leftBox = from;
  target?.focus();
  return target !== undefined;
}

/** The row of the list around the target. */
function rowOf(target: EventTarget | null) {
  const element = (target as Element | null)?.closest<HTMLElement>("[data-selectable] tbody tr");
  const box = element?.querySelector<HTMLInputElement>("[data-box] input");
  return element && box ? { element, id: Number(box.value), isChosen: box.checked } : null;
}

function neighbourOf(row: Element, key: string): Element | null {
  if (key === "ArrowDown") return row.nextElementSibling;
  return key === "ArrowUp" ? row.previousElementSibling : null;
}
