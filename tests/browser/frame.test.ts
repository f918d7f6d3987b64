import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, layoutShift, sizes, visit } from "./visit.ts";

setDefaultTimeout(30_000);

let latchkey: Latchkey;
let browser: Browser;

beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
});

async function openOverview(page: Page) {
  const response = await page.request.post("/api/auth/admin/login", { data: adminLogin });
  expect(response.status()).toBe(200);
  await page.goto("/admin");
  await awake(page);
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the frame on a ${size} has one h1, no finding of axe's, nothing that jumps, and fits its width`, () =>
    visit(
      browser,
      latchkey.url,
      `frame ${size}`,
      async ({ page }) => {
        await openOverview(page);
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
        expect(await accessProblems(page)).toEqual([]);
        expect(await layoutShift(page)).toBe(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        expect(await page.getByText("Loading...", { exact: true }).isVisible()).toBeFalse();
      },
      { viewport },
    ));
}

test("a page whose session takes its time says Loading... over the whole screen, the header and the bottom bar too", () =>
  visit(
    browser,
    latchkey.url,
    "session loading",
    async ({ page }) => {
      await page.request.post("/api/auth/admin/login", { data: adminLogin });
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/assets\/frame-/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto("/admin", { waitUntil: "commit" });
      const loading = page.getByText("Loading...", { exact: true });
      await loading.waitFor();
      await loading.evaluate((cover) =>
        Promise.all(cover.parentElement?.getAnimations().map((each) => each.finished) ?? []),
      );
      // What is in front is what a press would meet, if this one let it.
      await loading.evaluate((cover) => cover.style.setProperty("pointer-events", "auto"));
      for (const y of [20, sizes.phone.height - 20]) {
        const covered = await loading.evaluate((cover, at) => cover === document.elementFromPoint(20, at), y);
        expect([y, covered]).toEqual([y, true]);
      }
      release();
      await awake(page);
      expect(await loading.isVisible()).toBeFalse();
    },
    { viewport: sizes.phone },
  ));

test("the sidebar is collapsed by itself from 768 to 1023 px, and stays as one left it", () =>
  visit(browser, latchkey.url, "sidebar", async ({ page }) => {
    const width = async () => (await page.locator("aside").boundingBox())?.width;
    await openOverview(page);
    expect(await width()).toBe(240);
    await page.setViewportSize(sizes.tablet);
    expect(await width()).toBe(64);
    await page.setViewportSize(sizes.desktop);
    await page.getByTitle("Toggle sidebar").click();
    expect(await width()).toBe(64);
    await page.reload();
    expect(await width()).toBe(64);
    await awake(page);
    expect(await layoutShift(page)).toBe(0);
  }));

test("on a phone the Menu drawer holds the other places, traps the focus, and gives it back", () =>
  visit(
    browser,
    latchkey.url,
    "menu drawer",
    async ({ page }) => {
      await openOverview(page);
      const menu = page.getByRole("button", { name: "Menu" });
      await menu.click();
      const drawer = page.getByRole("dialog", { name: "Menu" });
      await drawer.getByRole("button", { name: "Sign Out" }).waitFor();
      expect(await drawer.getByRole("link").allInnerTexts()).toEqual([
        "Online Updates",
        "Referral Tokens",
        "Database Backup",
        "API Documentation",
      ]);
      await page.waitForFunction(() => document.getAnimations().length === 0);
      expect(await accessProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      expect(await menu.evaluate((button) => button === document.activeElement)).toBeTrue();
      await menu.click();
      await drawer.getByRole("button", { name: "Sign Out" }).click();
      await page.waitForURL(`${latchkey.url}/`);
    },
    { viewport: sizes.phone },
  ));

test("a session that ends while a page is open is said in words, and the page stays", () =>
  visit(browser, latchkey.url, "lost session", async ({ page, context }) => {
    await openOverview(page);
    // A call still under way would be refused too, and the browser would complain of that.
    await page.waitForLoadState("networkidle");
    await context.clearCookies();
    await page.clock.install();
    await page.clock.fastForward(11_000);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("Your session has ended.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin");
  }));

test("the theme is stored as plain text, and the page is dark whatever it says", () =>
  visit(browser, latchkey.url, "theme", async ({ page }) => {
    await page.goto("/");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("system");
    await page.evaluate(() => localStorage.setItem("theme", "light"));
    await page.reload();
    expect(
      await page.evaluate(() => [localStorage.getItem("theme"), getComputedStyle(document.body).colorScheme]),
    ).toEqual(["light", "dark"]);
  }));
