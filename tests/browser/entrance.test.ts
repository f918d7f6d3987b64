import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { focusInside } from "./at-keyboard.ts";
import { accessProblems } from "./axe.ts";
import { adminLogin } from "./latchkey.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, overflowPixels, sizes } from "./visit.ts";

const stage = openStage();

async function login(page: Page, password: string) {
  await page.getByLabel("Username").fill(adminLogin.username);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`a page that is not there, on a ${size}, has one h1, no finding of axe's, nothing that jumps, and fits its width`, () =>
    stage.visit(
      `not found ${size}`,
      async ({ page }) => {
        await page.goto("/no-such-page");
        await page.getByRole("heading", { level: 1, name: "404 Page Not Found" }).waitFor();
        await awake(page);
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
        expect(await layoutShift(page)).toBe(0);
        expect(await overflowPixels(page)).toBe(0);
        expect(await accessProblems(page)).toEqual([]);
      },
      // Only the page itself: a file that it asks for has to be there.
      { viewport, expected: /status of 404 .*\/no-such-page$/ },
    ));
}

test("a wrong password is alerted and toasted, keeps what was typed, and lets one try again", () =>
  stage.visit(
    "wrong password",
    async ({ page }) => {
      const alerts: string[] = [];
      page.on("dialog", async (dialog) => {
        alerts.push(`${dialog.type()} ${dialog.message()}`);
        await dialog.accept();
      });
      await page.goto("/");
      await awake(page);
      await login(page, "not-the-password");
      await toast(page, "Login Failed");
      expect(alerts).toEqual([expect.stringMatching(/^alert LOGIN ERROR: \S/)]);
      expect(await page.getByLabel("Username").inputValue()).toBe(adminLogin.username);
      await page.keyboard.press("F8");
      await focusInside(page.getByRole("region", { name: "Notifications (F8)" }));
      expect(await accessProblems(page)).toEqual([]);
    },
    { expected: /status of 401/ },
  ));

test("an admin who signs in reads so on the next page, and cannot go back to the login", () =>
  stage.visit("sign in", async ({ page }) => {
    await page.goto("/");
    await awake(page);
    await login(page, adminLogin.password);
    await page.waitForURL("**/admin");
    await toast(page, "Logged in as admin successfully");
    await page.goto("/register");
    expect(new URL(page.url()).pathname).toBe("/admin");
  }));

test("what a password manager filled in before the page was hydrated signs in", () =>
  stage.visit("filled in before hydration", async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    // Without any event, as some of them do it.
    const fillIn = (label: string, text: string) =>
      page.getByLabel(label).evaluate((field, filledIn) => {
        (field as HTMLInputElement).value = filledIn;
      }, text);
    await fillIn("Username", adminLogin.username);
    await fillIn("Password", adminLogin.password);
    expect(await page.locator("[data-island][data-ready]").count()).toBe(0);
    scripts.resolve();
    await awake(page);
    await page.getByRole("button", { name: "Login as Admin" }).click();
    await page.waitForURL("**/admin");
  }));

test("without JavaScript the login says what is needed, and sends nothing", () =>
  stage.visit(
    "no script",
    async ({ page }) => {
      await page.goto("/");
      // Playwright's text selectors skip what stands in a noscript element.
      const notice = page.locator("main noscript p");
      expect([await notice.isVisible(), await notice.textContent()]).toEqual([
        true,
        expect.stringContaining("needs JavaScript"),
      ]);
      expect(await page.getByRole("button", { name: "Login as Admin" }).isDisabled()).toBeTrue();
    },
    { javaScriptEnabled: false },
  ));
