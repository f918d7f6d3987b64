import { Component } from "react";

interface Focused {
  element: Element;
  neighbour: () => HTMLElement | null;
}

/**
 * Rendered next to the rows of a list or the parts of a dialog. When the focused element is removed, such as the row of
 * a key that no longer matches the filter, the focus moves to the nearest element; otherwise it would fall back to the
 * beginning of the page. A class, because only classes are called before the DOM changes.
 */
export class KeptFocus extends Component {
  override getSnapshotBeforeUpdate(): Focused | null {
    const element = document.activeElement?.closest("td *, li *, section *, [role=dialog] *") ?? null;
    return element && { element, neighbour: noteNeighbours(element) };
  }

  override componentDidUpdate(_props: object, _state: object, focused: Focused | null): void {
    // Its replacement may already have taken the focus.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (focused && !focused.element.isConnected && isLost) focused.neighbour()?.focus({ preventScroll: true });
  }

  override render() {
    return null;
  }
}

const placeLook = "tr, li, section";

/**
 * Notes the neighbours of an element, and returns a function that finds the next focus once it is removed: a control in
 * the same row or card, else in the next one, else in the one before; else in its dialog; else the search of the list;
 * else the content of the page.
 */
export function noteNeighbours(element: Element | null): () => HTMLElement | null {
  const place = element?.closest(placeLook);
  const dialog = element?.closest("[role=dialog]");
  const places = [
    ...(place ? [place, ...siblings(place, "nextElementSibling"), ...siblings(place, "previousElementSibling")] : []),
    ...(dialog ? [dialog] : []),
  ];
  return () => {
    for (const near of places) {
      const control = near.isConnected && near.querySelector<HTMLElement>("button:not(:disabled), a[href]");
      if (control) return control;
    }
    return document.querySelector<HTMLElement>('input[type="search"]') ?? document.getElementById("content");
  };
}

function siblings(place: Element, direction: "nextElementSibling" | "previousElementSibling"): Element[] {
  const found: Element[] = [];
  for (let next = place[direction]; next; next = next[direction]) found.push(next);
  return found;
}

/**
 * The `ref` of an element that appears on a press and is used next: it takes the focus when it appears. The first focus
 * of a dialog is marked `data-autofocus` instead, or the dialog would not know what had the focus before.
 */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus();
}
