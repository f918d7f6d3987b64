import type { Locator, Page } from "playwright-core";

/** Waits until a toast has this title or description. */
export function toast(page: Page, text: string): Promise<void> {
  return page.getByText(text, { exact: true }).first().waitFor();
}

export function rowOf(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ hasText: text });
}

/** A press right after the dialog opened is ignored, so this presses until the dialog closes. */
export async function closeDialog(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  while ((await dialog.count()) > 0) {
    const press = dialog.getByRole("button", { name }).click({ timeout: 2_000 });
    await press.catch(() => {});
    await dialog.waitFor({ state: "detached", timeout: 1_000 }).catch(() => {});
  }
}
