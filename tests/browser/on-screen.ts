import type { Locator, Page } from "playwright-core";

/** Waits until a toast has this title or description. */
export function toast(page: Page, text: string): Promise<void> {
  return page.getByText(text, { exact: true }).first().waitFor();
}

export function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}
