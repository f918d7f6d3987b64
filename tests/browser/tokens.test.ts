import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { isFocused, tabTo } from "./at-keyboard.ts";
import { accessProblems, accessProblemsAtRest } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, layoutShift, sizes, visit } from "./visit.ts";

setDefaultTimeout(30_000);

let latchkey: Latchkey;
let browser: Browser;
let admin: Client;

beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey(), launchChromium()]);
  admin = await signInAdmin(newClient);
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
});

const newClient = () => createClient(latchkey.url);
const walk = (name: string, go: (page: Page) => Promise<void>, size: keyof typeof sizes = "desktop") =>
  visit(
    browser,
    latchkey.url,
    `tokens ${name}`,
    async ({ page }) => {
      page.setDefaultTimeout(10_000);
      await page.request.post("/api/auth/admin/login", { data: adminLogin });
      await page.goto("/admin/tokens");
      await awake(page);
      await go(page);
    },
    { viewport: sizes[size], permissions: ["clipboard-read", "clipboard-write"], expected: /status of 500/ },
  );
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test("without any token the page says so, and offers the first", () =>
  walk("none", async (page) => {
    await page.getByText("No tokens found", { exact: true }).waitFor();
    expect(await page.getByRole("main").getByRole("button", { name: "Generate New Token" }).count()).toBe(2);
    expect(await accessProblems(page)).toEqual([]);
    expect(await layoutShift(page)).toBe(0);
  }));

test("by keyboard alone a token with credits is generated, and is on the clipboard, in the toast and in the list", () =>
  walk("by keyboard", async (page) => {
    const opener = page.getByRole("button", { name: "Generate New Token" }).first();
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Generate New Token" });
    await dialog.waitFor();
    expect(await isFocused(dialog.getByLabel("Credits (optional)"))).toBeTrue();
    await page.keyboard.type("-1");
    await page.keyboard.press("Enter");
    await dialog.getByText("Credits must be at least 0").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("12.5");
    await page.keyboard.press("Enter");
    await toast(page, "Token Generated");
    await dialog.waitFor({ state: "detached" });
    const token = await clipboard(page);
    await toast(page, `${token} copied to clipboard`);
    const row = page.getByRole("row").filter({ hasText: token });
    expect(await row.getByRole("cell").allInnerTexts()).toEqual([
      token,
      expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/),
      "–",
      "12.5",
      "Available",
      "Copy",
    ]);
    expect(await isFocused(opener)).toBeTrue();
    const [issued] = (await admin.get("/api/admin/tokens")).body;
    expect(issued).toMatchObject({ token, credits: 12.5, isUsed: false });
  }));

test("a used token is found by who used it, and cannot be copied; the filter stays after a reload", async () => {
  await registerReseller(newClient, admin, { username: "token.user" });
  await walk("used", async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("TOKEN.USER");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/tokens?search=TOKEN.USER");
    const row = page.getByRole("row").filter({ hasText: "token.user" });
    await row.getByText("Used", { exact: true }).waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    await page.reload();
    await awake(page);
    await row.waitFor();
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    await page.getByLabel("Status").selectOption("available");
    await page.getByText("Try another search or status.").waitFor();
    await page.getByRole("button", { name: "Clear Filters" }).click();
    await row.waitFor();
    expect(await layoutShift(page)).toBe(0);
  });
});

for (const size of ["tablet", "phone"] as const) {
  test(`on a ${size} the list and its dialog have no finding of axe's, and Copy copies`, async () => {
    const { token } = (await admin.post("/api/admin/tokens/generate", {})).body.token;
    await walk(
      size,
      async (page) => {
        const row = page.getByRole("row").filter({ hasText: token });
        await row.getByRole("button", { name: "Copy" }).click();
        await toast(page, "Token copied to clipboard");
        expect(await clipboard(page)).toBe(token);
        await page.getByRole("main").getByRole("button", { name: "Generate New Token" }).first().click();
        await page.getByRole("dialog").waitFor();
        expect(await accessProblemsAtRest(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
      size,
    );
  });
}

test("a list that does not come says why, and comes when it is asked for again", () =>
  walk("failure", async (page) => {
    await page.route("**/api/admin/tokens?**", (route) => route.fulfill({ status: 500, body: "out of order" }));
    await page.reload();
    await page.getByText("500: out of order").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("cell").first().waitFor();
  }));
