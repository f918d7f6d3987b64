import { Component } from "react";

interface Focused {
  element: Element;
  neighbour: () => HTMLElement | null;
}

/**
 * Rendered along with the rows of a list or the parts of a dialog: when what has the focus leaves them, such as the row of a key that is
 * no longer ACTIVE under the filter for ACTIVE ones, the focus goes to what stands nearest. Left alone it falls to the page's
 * beginning. A class, because only a class is asked before the page changes.
 */
export class KeptFocus extends Component {
  override getSnapshotBeforeUpdate(): Focused | null {
    const element = document.activeElement?.closest("td *, li *, [role=dialog] *") ?? null;
    return element && { element, neighbour: noteNeighbours(element) };
  }

  override componentDidUpdate(_props: object, _state: object, focused: Focused | null): void {
    // What came in its place may have taken the focus already.
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (focused && !focused.element.isConnected && isLost) focused.neighbour()?.focus({ preventScroll: true });
  }

  override render() {
    return null;
  }
}

const placeLook = "tr, li, section";

/**
 * Notes where this element stands, for when it leaves the page, and answers what to focus then: something in the same row or card,
 * else in the next one, else in the one before; else in the dialog that all that stands in; else the search that the list belongs to,
 * else the page's content.
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
 * As the `ref` of what comes up by a press, and is what its owner goes on with: it takes the focus once, when it comes. What a dialog
 * opens with is marked `data-autofocus` instead, or the dialog would not know what had the focus before.
 */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus();
}
