/**
 * Where there is a keyboard, one types at once: the first empty field takes the focus, unless something else has it already. On a phone the
 * focus would bring up the keyboard over a page that nobody has read.
 */
export function beginTyping(form: HTMLFormElement | null): void {
  const isAtDesk = window.matchMedia("(hover: hover) and (pointer: fine)").matches;
  if (!form || !isAtDesk || document.activeElement !== document.body) return;
  const fields = [...form.querySelectorAll("input")];
  (fields.find(({ value }) => value === "") ?? fields[0])?.focus({ preventScroll: true });
}
