import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { fillLarge } from "../large-database.ts";
import { temporaryFolder } from "../process.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, visit } from "./visit.ts";

setDefaultTimeout(30_000);

const amounts = { resellers: 5_000, keysEach: 100_000 };

const dataFolder = temporaryFolder();
let latchkey: Latchkey;
let browser: Browser;

beforeAll(async () => {
  const first = await startLatchkey({ DATA_DIR: dataFolder });
  await first.stop();
  fillLarge(join(dataFolder, "latchkey.db"), amounts);
  [latchkey, browser] = await Promise.all([startLatchkey({ DATA_DIR: dataFolder }), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

const walk = (name: string, role: "admin" | "reseller", path: string, go: (page: Page) => Promise<void>) =>
  visit(browser, latchkey.url, `scale ${name}`, async ({ page }) => {
    const data = role === "admin" ? adminLogin : { ...adminLogin, username: "reseller00001" };
    await page.request.post(`/api/auth/${role}/login`, { data });
    await page.goto(path);
    await awake(page);
    await go(page);
  });

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });

test("an admin finds one key of 100,000 by its text, and the footer counts them all", () =>
  walk("admin keys", "admin", "/admin/create-keys?tab=manage", async (page) => {
    await page.getByText("of 100,000 total admin keys").waitFor();
    const loaded = await rows(page).count();
    expect(loaded).toBeGreaterThan(5);
    expect(loaded).toBeLessThan(500);
    await page.getByRole("searchbox").fill("lios-77777");
    await page.getByText("Showing 1 of 100,000 total admin keys").waitFor();
    expect(await rows(page).count()).toBe(1);
  }));

test("an admin finds one reseller of 5,000, and opens its keys", () =>
  walk("resellers", "admin", "/admin/resellers", async (page) => {
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(500);
    await page.getByRole("searchbox").fill("RESELLER00001");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    await page.getByRole("link", { name: /Keys/ }).last().click();
    await page.waitForURL(/\/admin\/resellers\/\d+\/keys/);
    await awake(page);
    await rows(page).first().waitFor();
  }));

test("a reseller with 100,000 keys sees its figures, scrolls, searches and goes back to the same view", () =>
  walk("own keys", "reseller", "/reseller", async (page) => {
    await page.getByText("Active Keys").waitFor();
    await page.goto("/reseller/keys");
    await awake(page);
    await rows(page).first().waitFor();
    const before = await rows(page).count();
    await page.mouse.wheel(0, 100_000);
    await page.waitForFunction((count) => document.querySelectorAll("tbody tr").length > count, before);
    await page.getByRole("searchbox").fill("pbgm-00500");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    expect(page.url()).toContain("search=pbgm-00500");
    await page.reload();
    await awake(page);
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
  }));
