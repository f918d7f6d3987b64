import { readFileSync } from "node:fs";
import type { Download, Locator, Page } from "playwright-core";

/** Permissions for visits that copy, because a browser would ask its user. */
export const withClipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** The clipboard's content. Call it only after the page has confirmed the copy. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Pressed by keyboard, because a toast that slides in could intercept a click. */
export async function downloadedBy(button: Locator): Promise<Download> {
  const [download] = await Promise.all([button.page().waitForEvent("download"), button.press("Enter")]);
  return download;
}

export async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), "utf8");
}

/** Opens the receipt's menu and returns the item for this format. */
export async function formOf(receipt: Locator, name: string): Promise<Locator> {
  await receipt.getByRole("button", { name: "More" }).press("Enter");
  const form = receipt.page().getByRole("menuitem", { name });
  await form.waitFor();
  return form;
}
