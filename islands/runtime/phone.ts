/** Below 768 px, where dialogs are sheets. */
export function isPhone(): boolean {
  return window.matchMedia("(max-width: 767.98px)").matches;
}
