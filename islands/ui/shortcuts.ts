/** Where a key is a letter, or belongs to what is open. */
const typingPlaces = 'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"]';

const offName = "single-keys";

export function isTyping({ target }: KeyboardEvent): boolean {
  return (target as Element | null)?.closest?.(typingPlaces) != null;
}

/** Whether this one key, with nothing held beside it, was pressed as a command. Some press keys that they do not see: they turn it off. */
export function isLoneKey(event: KeyboardEvent, key: string): boolean {
  return event.key === key && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event) && areLoneKeysOn();
}

export function areLoneKeysOn(): boolean {
  try {
    return localStorage.getItem(offName) !== "off";
  } catch {
    return true;
  }
}

export function turnLoneKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(offName);
    else localStorage.setItem(offName, "off");
  } catch {
    // A browser that keeps nothing has them on.
  }
}

/** Ctrl K, and ⌘ K on an Apple. */
export function isBarKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  return key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;
