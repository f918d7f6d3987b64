import { attempt } from "../runtime/storage.ts";

/** Where a key types a letter, or belongs to an open dialog. */
const dialogs = '[role="dialog"], [role="alertdialog"]';
const typingPlaces = `input, textarea, select, [contenteditable], ${dialogs}`;

const offName = "single-keys";

export function isInDialog(event: KeyboardEvent): boolean {
  return isIn(event, dialogs);
}

function isIn({ target }: KeyboardEvent, places: string): boolean {
  return (target as Element | null)?.closest?.(places) != null;
}

/**
 * Whether this key was pressed alone, as a command. Users who press keys by mistake, such as with speech input, can
 * turn that off.
 */
export function isLoneKey(event: KeyboardEvent, key: string): boolean {
  return (
    event.key === key &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !isIn(event, typingPlaces) &&
    areLoneKeysOn()
  );
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

/** Whether the keyboard has ⌘. Known only in the browser. */
export function isApple(): boolean {
  return /Mac|iP/.test(navigator.platform);
}
