/** Users who prefer reduced motion see the end state at once. styles.css turns off the movement that styles make. */
export function prefersLessMotion(): boolean {
  return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** Below 768 px, where dialogs are sheets. */
export function isPhone(): boolean {
  return window.matchMedia("(max-width: 767.98px)").matches;
}
