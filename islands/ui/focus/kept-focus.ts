import { Component } from "react";
import { noteNeighbours } from "./neighbour.ts";

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
