import { readFileSync } from "node:fs";
import type { Download, Locator, Page } from "playwright-core";

/** For a visit that copies: a browser asks its owner, who is not there. */
export const withClipboard = { permissions: ["clipboard-read", "clipboard-write"] };

/** What is on the clipboard. Only to be asked once the page has said that it copied. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Pressed by key: a toast that slides in over a button would take the pointer's press away from it half-way. */
export async function downloadedBy(button: Locator): Promise<Download> {
  const [download] = await Promise.all([button.page().waitForEvent("download"), button.press("Enter")]);
  return download;
}

export async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), "utf8");
}

/** A form of new keys that stands in the receipt's menu, which is opened for it. */
export async function formOf(receipt: Locator, name: string): Promise<Locator> {
  await receipt.getByRole("button", { name: "More forms" }).press("Enter");
  const form = receipt.page().getByRole("menuitem", { name });
  await form.waitFor();
  return form;
}
