import { attempt } from "../runtime/storage.ts";

/** Where a key types a letter, or belongs to an open dialog. */
const typingPlaces = 'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"]';

const offName = "single-keys";

export function isTyping({ target }: KeyboardEvent): boolean {
  return (target as Element | null)?.closest?.(typingPlaces) != null;
}

/**
 * Whether this key was pressed alone, as a command. Users who press keys by mistake, such as with speech input, can
 * turn that off.
 */
export function isLoneKey(event: KeyboardEvent, key: string): boolean {
  return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event) && areLoneKeysOn();
}

export function areLoneKeysOn(): boolean {
  return attempt(() => localStorage.getItem(offName)) !== "off";
}

export function turnLoneKeys(on: boolean): void {
  attempt(() => (on ? localStorage.removeItem(offName) : localStorage.setItem(offName, "off")));
}

/** Ctrl K, and ⌘ K on Apple keyboards. */
export function isBarKey(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;
}
