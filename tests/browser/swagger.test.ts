import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { adminLogin } from "./latchkey.ts";
import { openStage, signIn } from "./stage.ts";
import { overflowPixels, sizes } from "./visit.ts";

const stage = openStage();

const verifyButton = (page: Page) => page.locator("#operations-Game_clients-verifyKey .opblock-summary-control");

async function open(page: Page) {
  await page.goto("/swagger");
  await verifyButton(page).waitFor();
}

// A visit fails by itself of a console error, a policy violation or a request to elsewhere.
for (const [size, viewport] of Object.entries(sizes)) {
  test(`on a ${size} it has one h1, no finding of axe's with a call open, and fits its width`, () =>
    stage.visit(
      `swagger ${size}`,
      async ({ page }) => {
        await open(page);
        expect(await page.title()).toBe("API reference · Latchkey");
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
        expect(await accessProblems(page)).toEqual([]);
        await verifyButton(page).press("Enter");
        await page.locator("#operations-Game_clients-verifyKey .responses-table").waitFor();
        expect(await accessProblems(page)).toEqual([]);
        expect(await overflowPixels(page)).toBe(0);
      },
      { viewport },
    ));
}

test("a call that is opened can be linked to", () =>
  stage.visit("swagger link", async ({ page }) => {
    await open(page);
    await verifyButton(page).press("Enter");
    await page.waitForURL("**/swagger#/Game%20clients/verifyKey");
    await page.reload();
    await page.locator("#operations-Game_clients-verifyKey .responses-table").waitFor();
  }));

test("its way back leads who is signed in to the panel, and others to the login", () =>
  stage.visit("swagger way back", async ({ page }) => {
    await open(page);
    await page.getByRole("link", { name: "Back to the panel" }).press("Enter");
    await page.waitForURL(`${stage.latchkey.url}/`);
    await signIn(page, "admin", adminLogin);
    const home = await page.request.get("/", { maxRedirects: 0 });
    expect(home.headers().location).toBe("/admin");
  }));

test("without JavaScript it says where its document is", () =>
  stage.visit(
    "swagger without script",
    async ({ page }) => {
      await page.goto("/swagger");
      const notice = page.locator("noscript p");
      expect([await notice.isVisible(), await notice.textContent()]).toEqual([
        true,
        expect.stringContaining("/swagger/json"),
      ]);
    },
    { javaScriptEnabled: false },
  ));
