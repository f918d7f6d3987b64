import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { adminLogin } from "./latchkey.ts";
import { demoReseller, openStage, signIn } from "./stage.ts";
import { awake, sizes } from "./visit.ts";

/** Everyday questions, each of which must be answered on a phone in at most three presses from the first page. */
const stage = openStage({}, ["--demo"]);
const pressesMax = 3;

/** Presses the elements in order and asserts the maximum number of presses. */
async function press(page: Page, ...names: (string | RegExp)[]): Promise<void> {
  expect(names.length).toBeLessThanOrEqual(pressesMax);
  for (const name of names) {
    const control = page.locator("a, button").filter({ hasText: name }).filter({ visible: true }).first();
    await control.click();
    await awake(page);
  }
}

async function onPhone(role: "admin" | "reseller", walk: (page: Page) => Promise<void>): Promise<void> {
  const login = role === "admin" ? adminLogin : demoReseller(stage.latchkey);
  await stage.visit(
    `questions of ${role}`,
    async ({ page }) => {
      await signIn(page, role, login);
      await page.goto(`/${role}`);
      await awake(page);
      await walk(page);
    },
    { viewport: sizes.phone, isMobile: true, hasTouch: true },
  );
}

test("a reseller finds a purchased batch, the reason why a key does not work, and a customer's key", () =>
  onPhone("reseller", async (page) => {
    await press(page, "Manage Keys", /^Orders$/, /^Open$/);
    await page.getByRole("heading", { level: 1, name: /Order/ }).waitFor();

    await page.goto("/reseller");
    await press(page, "Manage Keys", /^View$/);
    const answer = page.getByRole("status").filter({ hasText: /^(Works|Refused on every device)/ });
    // The reason, and the suggested action.
    await page.waitForFunction(
      (lines) => lines?.querySelectorAll("p:not(:empty)").length === 2,
      await answer.elementHandle(),
    );
    await page.getByText("Key made by night.owl").waitFor();

    await page.goto("/reseller");
    await press(page, "Manage Keys");
    const keyText = await page
      .locator(".sr-only", { hasText: /^(PBGM|LIOS|FIRE)-/ })
      .first()
      .textContent();
    await page.getByRole("searchbox").fill(keyText?.slice(-5).toLowerCase() ?? "");
    await page.getByText("Showing 1 of 1 key").waitFor();
  }));

test("an admin finds how a reseller used the credits, the system's condition, and who made a change", () =>
  onPhone("admin", async (page) => {
    await page.getByText("All is well.").waitFor();
    await page.getByRole("img", { name: /^Keys made, by day/ }).waitFor();

    await press(page, "Audit log");
    await page.getByText("Token created").filter({ visible: true }).first().waitFor();

    await press(page, "Manage Resellers", /^night\.owl$/);
    await page.getByRole("table", { name: "Credits" }).getByText("Bonus of the token").waitFor();
  }));
