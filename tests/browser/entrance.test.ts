import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, gzippedBytes, layoutShift, sizes, visit } from "./visit.ts";

setDefaultTimeout(30_000);

const scriptBytesMax = 95_000;
const styleBytesMax = 12_000;

let latchkey: Latchkey;
let browser: Browser;

beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
});

async function login(page: Page, password: string) {
  await page.getByLabel("Username").fill(adminLogin.username);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

for (const [size, viewport] of Object.entries(sizes)) {
  for (const path of ["/", "/register", "/no-such-page"]) {
    test(`${path} on a ${size} has one h1, no finding of axe's, nothing that jumps, and fits its width`, () =>
      visit(
        browser,
        latchkey.url,
        `entrance ${path} ${size}`,
        async ({ page }) => {
          await page.goto(path);
          await awake(page);
          expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
          expect(await accessProblems(page)).toEqual([]);
          expect(await layoutShift(page)).toBe(0);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        },
        { viewport, expected: /status of 404/ },
      ));
  }
}

test("a wrong password is alerted and toasted, keeps what was typed, and lets one try again", () =>
  visit(
    browser,
    latchkey.url,
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
      await page.getByText("Login Failed", { exact: true }).waitFor();
      expect(alerts).toEqual([expect.stringMatching(/^alert LOGIN ERROR: \S/)]);
      expect(await page.getByLabel("Username").inputValue()).toBe(adminLogin.username);
      await page.keyboard.press("F8");
      expect(await accessProblems(page)).toEqual([]);
    },
    { expected: /status of 401/ },
  ));

test("an admin who signs in reads so on the next page, and cannot go back to the login", () =>
  visit(
    browser,
    latchkey.url,
    "sign in",
    async ({ page }) => {
      await page.goto("/");
      await awake(page);
      await login(page, adminLogin.password);
      await page.waitForURL("**/admin");
      await page.goto("/register");
      expect(new URL(page.url()).pathname).toBe("/admin");
    },
    { expected: /status of 404/ },
  ));

test("without JavaScript the login says what is needed, and sends nothing", () =>
  visit(
    browser,
    latchkey.url,
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

test("the sign-in page loads at most 95 kB of script and 12 kB of styles, gzipped", () =>
  visit(browser, latchkey.url, "weight", async ({ page }) => {
    await page.goto("/", { waitUntil: "networkidle" });
    const { script, styles } = await gzippedBytes(page);
    console.log(`Sign-in, gzipped: ${script} bytes of script, ${styles} bytes of styles.`);
    expect(script).toBeWithin(1, scriptBytesMax);
    expect(styles).toBeWithin(1, styleBytesMax);
  }));
