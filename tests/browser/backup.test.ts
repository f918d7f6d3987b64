import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { strFromU8, unzipSync } from "fflate";
import type { Browser, Download, Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, gzippedBytes, layoutShift, sizes, visit } from "./visit.ts";

setDefaultTimeout(30_000);

const scriptBytesMax = 130_000;
const listCall = "**/api/admin/backup/collections";

let latchkey: Latchkey;
let browser: Browser;

beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
});

async function open(page: Page) {
  expect((await page.request.post("/api/auth/admin/login", { data: adminLogin })).status()).toBe(200);
  await page.goto("/admin/database-backup");
  await awake(page);
}

async function downloaded(page: Page, name: string): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name }).press("Enter"),
  ]);
  return download;
}

async function contentOf(download: Download): Promise<Uint8Array> {
  return Bun.file(await download.path()).bytes();
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`on a ${size} it has one h1, no finding of axe's, nothing that jumps, and fits its width`, () =>
    visit(
      browser,
      latchkey.url,
      `backup ${size}`,
      async ({ page }) => {
        await open(page);
        await page.getByText("license_keys").waitFor();
        expect(await page.getByRole("heading", { level: 1 }).allInnerTexts()).toEqual(["Database Backup"]);
        expect(await accessProblems(page)).toEqual([]);
        expect(await layoutShift(page)).toBe(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      },
      { viewport },
    ));
}

test("the headings of the list never lie over its first row", () =>
  visit(
    browser,
    latchkey.url,
    "backup headings",
    async ({ page }) => {
      await open(page);
      const first = await page.getByRole("row", { name: /admins/ }).boundingBox();
      const headings = await page.locator("thead").boundingBox();
      expect((headings?.y ?? 0) + (headings?.height ?? 0)).toBeLessThanOrEqual((first?.y ?? 0) + 1);
    },
    { viewport: sizes.tablet },
  ));

test("a collection downloads by keyboard, under its name, without a secret in it", () =>
  visit(browser, latchkey.url, "backup collection", async ({ page }) => {
    await open(page);
    const download = await downloaded(page, "Download admins");
    expect(download.suggestedFilename()).toBe("admins.json");
    const rows = JSON.parse(strFromU8(await contentOf(download)));
    expect(rows).toEqual([{ id: 1, username: "admin", createdAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
    await page.getByText("admins downloaded successfully", { exact: true }).waitFor();
  }));

test("the complete archive opens, and holds what its manifest counts", () =>
  visit(browser, latchkey.url, "backup archive", async ({ page }) => {
    await open(page);
    const download = await downloaded(page, "Download All");
    expect(download.suggestedFilename()).toMatch(/^latchkey-backup-[\dTZ-]+\.zip$/);
    const files = unzipSync(await contentOf(download));
    const manifest = JSON.parse(strFromU8(files["manifest.json"] as Uint8Array));
    expect(manifest.collections.length).toBe(Object.keys(files).length - 1);
    for (const { file, count, sha256 } of manifest.collections) {
      const content = files[file] as Uint8Array;
      expect([file, JSON.parse(strFromU8(content)).length]).toEqual([file, count]);
      expect(new Bun.CryptoHasher("sha256").update(content).digest("hex")).toBe(sha256);
    }
    await page.getByText("Complete backup archive downloaded successfully", { exact: true }).waitFor();
  }));

test("a list that fails says so and loads on Retry; an empty one hints at the connection", () =>
  visit(
    browser,
    latchkey.url,
    "backup failures",
    async ({ page }) => {
      await page.route(listCall, (route) => route.fulfill({ status: 500, body: "broken" }));
      await open(page);
      await page.getByRole("alert").getByText("Failed to fetch MongoDB collections").waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await page.unroute(listCall);
      await page.getByRole("button", { name: "Retry" }).press("Enter");
      await page.getByText("license_keys").waitFor();
      await page.route(listCall, (route) => route.fulfill({ json: [] }));
      await page.getByRole("button", { name: "Refresh" }).press("Enter");
      await page.getByText("No Collections Found", { exact: true }).waitFor();
      expect(await accessProblems(page)).toEqual([]);
    },
    { expected: /status of 500/ },
  ));

test("downloads that fail say so in the words of section 8", () =>
  visit(
    browser,
    latchkey.url,
    "backup download failures",
    async ({ page }) => {
      await page.route("**/api/admin/backup/download**", (route) => route.fulfill({ status: 500, body: "broken" }));
      await page.route("**/api/admin/backup/download/**", (route) => route.fulfill({ status: 500, body: "broken" }));
      await open(page);
      await page.getByRole("button", { name: "Download admins" }).click();
      await page.getByText("Failed to download file", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Download All" }).click();
      await page.getByText("Failed to download backup archive", { exact: true }).waitFor();
    },
    { expected: /status of 500/ },
  ));

test("the page loads at most 130 kB of script, gzipped", () =>
  visit(browser, latchkey.url, "backup weight", async ({ page }) => {
    await open(page);
    await page.waitForLoadState("networkidle");
    const { script } = await gzippedBytes(page);
    console.log(`Database Backup, gzipped: ${script} bytes of script.`);
    expect(script).toBeWithin(1, scriptBytesMax);
  }));
