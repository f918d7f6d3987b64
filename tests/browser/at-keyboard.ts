import type { Locator, Page } from "playwright-core";

const pressesMax = 40;

export const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

/** Goes on with the Tab key until it is there, as somebody without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < pressesMax; presses += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("The Tab key does not reach it.");
}
