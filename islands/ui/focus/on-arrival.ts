/**
 * As the `ref` of what comes up by a press, and is what its owner goes on with: it takes the focus once, when it comes. What a dialog
 * opens with is marked `data-autofocus` instead, or the dialog would not know what had the focus before.
 */
export function focusOnArrival(element: HTMLElement | null): void {
  element?.focus();
}
