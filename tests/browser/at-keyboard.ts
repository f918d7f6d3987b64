import type { Locator, Page } from "playwright-core";

const pressesMax = 40;

/** Waits until it has the focus. A dialog takes the focus, and gives it back, an instant after it was seen to come or to go. */
export function focused(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(":focus")).waitFor({ state: "attached" });
}

/** Waits until it, or something in it, has the focus. */
export function focusInside(locator: Locator): Promise<void> {
  return locator.and(locator.page().locator(":focus-within")).waitFor({ state: "attached" });
}

/** Goes on with the Tab key until it is there, as somebody without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const dialog = page.locator("[role=dialog], [role=alertdialog]").filter({ has: target });
  // Before it has the focus, a key would still reach the page behind it.
  if ((await dialog.count()) > 0) await focusInside(dialog);
  for (let presses = 0; presses < pressesMax; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("The Tab key does not reach it.");
}
