import type { Locator, Page } from "playwright-core";

const pressesMax = 40;

/** Waits until the element has the focus. Dialogs take and return the focus slightly after they appear or disappear. */
export function focused(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(":focus")).waitFor({ state: "attached" });
}

/** Waits until the element or a descendant has the focus. */
export function focusInside(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(":focus-within")).waitFor({ state: "attached" });
}

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const dialog = page.locator("[role=dialog], [role=alertdialog]").filter({ has: target });
  // Until the dialog has the focus, keys would reach the page behind it.
  if ((await dialog.count()) > 0) await focusInside(dialog);
  for (let presses = 0; presses < pressesMax; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("The Tab key does not reach it.");
}

/** Composes this text with an input method and presses a key that the input method handles itself. */
export async function pressInComposition(page: Page, text: string, key: "Enter" | "Escape"): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const caret = text.length;
  await browser.send("Input.imeSetComposition", { text, selectionStart: caret, selectionEnd: caret });
  // Browsers report this code instead of the key's own.
  await browser.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, windowsVirtualKeyCode: 229 });
  await browser.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  await browser.detach();
}
