/** Is never done, so that the form that waits for it stays busy until the next page is there. */
export function goTo(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => {});
}
