import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { adminLogin } from "./latchkey.ts";
import { openStage, signIn } from "./stage.ts";
import { overflowPixels, resize, sizes } from "./visit.ts";

const stage = openStage();

const verifyButton = (page: Page) => page.locator("#operations-Game_clients-verifyKey .opblock-summary-control");

async function open(page: Page) {
  await page.goto("/swagger");
  await verifyButton(page).waitFor();
}

// A visit fails on console errors, policy violations and requests to other hosts.
test("at every size it has one h1, no axe findings with a call open, and fits the width", () =>
  stage.visit("swagger sizes", async ({ page }) => {
    await open(page);
    expect(await page.title()).toBe("API reference · Latchkey");
    const padlocks = page.locator(".authorization__btn").filter({ visible: true });
    expect(await page.locator("[id^=operations-Game_clients]").locator(padlocks).count()).toBe(0);
    await verifyButton(page).press("Enter");
    await page.locator("#operations-Game_clients-verifyKey .responses-table").waitFor();
    for (const sdk of ["SDKs in eight languages", "Python 3.9 and newer"]) await page.getByText(sdk).click();
    await page.getByRole("region", { name: "Start with latchkey.py" }).waitFor();
    for (const [size, { width, height }] of Object.entries(sizes)) {
      await resize(page, width, height);
      expect([size, await page.getByRole("heading", { level: 1 }).count()]).toEqual([size, 1]);
      expect([size, await accessProblems(page)]).toEqual([size, []]);
      expect([size, await overflowPixels(page)]).toEqual([size, 0]);
    }
  }));

test("the API pages link to each call, which is expanded, and each call links back to its samples", () =>
  stage.visitAsAdmin("swagger link", "/admin/api?tab=get", async (page) => {
    const samples = page.getByRole("link", { name: "Samples in six languages" });
    await page.getByRole("link", { name: "In Swagger", exact: true }).press("Enter");
    await page.waitForURL("**/swagger#/Game%20clients/previewKey");
    await samples.press("Enter");
    await page.waitForURL("**/admin/api?tab=get");
    await page.getByRole("heading", { name: "Check a key" }).waitFor();
  }));

test("without a session it looks like the login, starts with the game clients' calls, links to expanded calls and leads back", () =>
  stage.visit("swagger link", async ({ page }) => {
    const look = () =>
      page.getByRole("heading", { level: 1 }).evaluate((title) => {
        const { fontFamily, fontSize, color } = getComputedStyle(title);
        return { fontFamily, fontSize, color, page: getComputedStyle(document.documentElement).backgroundColor };
      });
    await page.goto("/");
    const panel = await look();
    await open(page);
    expect(await look()).toEqual(panel);
    expect(panel.fontFamily).toStartWith("Geist");
    expect(await page.locator(".opblock-tag").first().textContent()).toStartWith("Game clients");
    await verifyButton(page).press("Enter");
    await page.waitForURL("**/swagger#/Game%20clients/verifyKey");
    await page.reload();
    await page.locator("#operations-Game_clients-verifyKey .responses-table").waitFor();
    // Without a session there is no panel to return to.
    expect(await page.getByRole("link", { name: /^Samples/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Back to the panel" }).press("Enter");
    await page.waitForURL(`${stage.latchkey.url}/`);
    await signIn(page, "admin", adminLogin);
    const home = await page.request.get("/", { maxRedirects: 0 });
    expect(home.headers().location).toBe("/admin");
  }));

test("without JavaScript it links to its document", () =>
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
