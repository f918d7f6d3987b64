import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { placeholder } from "../../src/http/documented-call.ts";
import { accessProblems } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, gzippedBytes, layoutShift, sizes, visit } from "./visit.ts";

setDefaultTimeout(30_000);

const scriptBytesMax = 130_000;
const example = { game: "PUBG MOBILE", deviceLimit: 2, keyString: "PBGM-A1B2C-D3E4F-G5H6I", count: 1 };
const resellerLogin = { username: "night.owl", password: "browser-test-password" };

let latchkey: Latchkey;
let browser: Browser;

beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey(), launchChromium()]);
  const context = await browser.newContext({ baseURL: latchkey.url });
  await signIn(context, "admin");
  const expiryDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await context.request.post("/api/admin/keys/generate", { data: { ...example, expiryDate } });
  await context.request.post("/api/admin/online-updates", { data: { title: "News", message: "Hello" } });
  const issued = await (await context.request.post("/api/admin/tokens/generate")).json();
  const registration = { ...resellerLogin, referralToken: issued.token.token };
  expect((await context.request.post("/api/auth/reseller/register", { data: registration })).status()).toBe(201);
  await context.close();
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
});

async function signIn(context: BrowserContext, role: "admin" | "reseller") {
  const data = role === "admin" ? adminLogin : resellerLogin;
  expect((await context.request.post(`/api/auth/${role}/login`, { data })).status()).toBe(200);
}

async function open(page: Page, path: "/admin/api" | "/reseller/api", search = "") {
  await signIn(page.context(), path === "/admin/api" ? "admin" : "reseller");
  await page.goto(path + search);
  await awake(page);
}

/** What the button puts on the clipboard, with the address of the server under test in it. */
async function copied(page: Page, label: string): Promise<string> {
  await page.getByRole("button", { name: label }).press("Enter");
  await page.getByRole("button", { name: "Copied" }).first().waitFor();
  return (await page.evaluate(() => navigator.clipboard.readText())).replaceAll(placeholder, latchkey.url);
}

const withClipboard = { permissions: ["clipboard-read", "clipboard-write"] };

for (const [size, viewport] of Object.entries(sizes)) {
  test(`both pages on a ${size} have one h1, no finding of axe's, nothing that jumps, and fit its width`, async () => {
    for (const path of ["/admin/api", "/reseller/api"] as const) {
      await visit(
        browser,
        latchkey.url,
        `${path} ${size}`,
        async ({ page }) => {
          await open(page, path);
          expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual(["API Documentation"]);
          expect(await accessProblems(page)).toEqual([]);
          expect(await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
          // The frame's credits are the layout's own to hold still.
          if (path === "/admin/api") expect(await layoutShift(page)).toBe(0);
        },
        { viewport },
      );
    }
  });
}

test("by keyboard, each tab's JavaScript is copied and, run in a browser, answered by the real server", () =>
  visit(
    browser,
    latchkey.url,
    "samples",
    async ({ page }) => {
      await open(page, "/admin/api");
      const answers: unknown[] = [];
      await page.getByRole("tab", { name: "POST Method" }).focus();
      for (const tab of ["POST Method", "GET Method", "Online Updates"]) {
        await page.getByRole("tab", { name: tab, selected: true }).waitFor();
        const sample = await copied(page, "Copy JavaScript");
        answers.push(await page.evaluate(`(async () => {${sample}\nreturn answer;})()`));
        await page.getByRole("tab", { name: tab }).press("ArrowRight");
      }
      const verdict = { valid: true, code: "VALID", deviceLimit: 2, currentDevices: 1 };
      expect(answers).toEqual([
        expect.objectContaining(verdict),
        expect.objectContaining({ ...verdict, canRegister: false }),
        [expect.objectContaining({ title: "News", message: "Hello", isActive: true })],
      ]);
    },
    withClipboard,
  ));

test("the integration guide's four steps, run together, let a player in, offline too, and keep a wrong key out", () =>
  visit(
    browser,
    latchkey.url,
    "integration guide",
    async ({ page, context }) => {
      await open(page, "/reseller/api");
      const parts = [await copied(page, "Copy JavaScript")];
      for (const step of [1, 2, 3, 4]) parts.push(await copied(page, `Copy step ${step}`));
      const run = (code: string) => page.evaluate(`(async () => {${parts.join("\n")}\n${code}})()`);
      // The samples' own call comes first in each run; the offline one is told of no network after it.
      expect(
        await run(`storeKey(" ${example.keyString} ");
          return [deviceId() === deviceId(), storedKey(), await mayPlay("${example.game}")];`),
      ).toEqual([true, example.keyString, true]);
      expect(
        await run(`fetch = () => Promise.reject(new TypeError("offline"));
          const kept = await mayPlay("${example.game}"); storeKey("ANOTHER-KEY");
          return [kept, await mayPlay("${example.game}")];`),
      ).toEqual([true, false]);
      await page.reload();
      expect(await run(`storeKey("ANOTHER-KEY"); return mayPlay("${example.game}");`)).toBe(false);
      expect(
        await run(`return verifyWithRetry("", "${example.game}", deviceId()).catch(({ status }) => status);`),
      ).toBe(422);
      await context.clearCookies();
    },
    { ...withClipboard, expected: /status of 422/ },
  ));

test("without JavaScript both pages are read whole, tab by tab, and ask for nothing", () =>
  visit(
    browser,
    latchkey.url,
    "api pages without script",
    async ({ page, context }) => {
      await signIn(context, "admin");
      await page.goto("/admin/api");
      for (const [tab, heading] of [
        ["POST Method", "Verify a key"],
        ["GET Method", "Look at a key"],
        ["Online Updates", "Read the online updates"],
      ] as const) {
        await page.locator("main noscript nav a", { hasText: tab }).click();
        await page.getByRole("heading", { name: heading }).waitFor();
        expect(await page.getByRole("region", { name: "JavaScript" }).isVisible()).toBeTrue();
      }
      expect(await page.locator("main").textContent()).not.toContain("needs JavaScript");
      expect(await page.getByText("Copy JavaScript").isVisible()).toBeFalse();
      await context.clearCookies();
      await signIn(context, "reseller");
      await page.goto("/reseller/api");
      expect(await page.getByRole("heading", { level: 3 }).allInnerTexts()).toContain("Handle errors");
      expect(await page.locator("main").textContent()).not.toContain("needs JavaScript");
    },
    { javaScriptEnabled: false },
  ));

test("both pages load at most 130 kB of script, gzipped", async () => {
  for (const path of ["/admin/api", "/reseller/api"] as const) {
    await visit(browser, latchkey.url, `${path} weight`, async ({ page }) => {
      await open(page, path);
      await page.waitForLoadState("networkidle");
      const { script } = await gzippedBytes(page);
      console.log(`${path}, gzipped: ${script} bytes of script.`);
      expect(script).toBeWithin(1, scriptBytesMax);
    });
  }
});
