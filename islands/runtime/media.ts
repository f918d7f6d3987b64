/** Whoever asked their system for less movement sees where it ends. Movement that styles make is turned off in styles.css. */
export function prefersLessMotion(): boolean {
  return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/** Below 768 px, where dialogs are sheets. */
export function isPhone(): boolean {
  return window.matchMedia("(max-width: 767.98px)").matches;
}
