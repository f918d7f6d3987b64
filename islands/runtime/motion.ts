/** Whoever asked their system for less movement sees where it ends. Movement that styles make is turned off in styles.css. */
export function prefersLessMotion(): boolean {
  return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}
