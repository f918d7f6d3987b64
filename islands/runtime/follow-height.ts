/** Keeps the height of an element in a CSS variable of the page, for the parts that leave room for it. */
export function followHeight(element: HTMLElement | null, variable: `--${string}`): (() => void) | undefined {
  if (!element || typeof ResizeObserver === "undefined") return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty(variable, `${element.offsetHeight}px`));
  observer.observe(element);
  return () => {
    observer.disconnect();
    style.removeProperty(variable);
  };
}
