import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
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
const register = (username: string): Promise<ResellerClient> =>
  registerReseller(newClient, admin, { username, credits: 12.5 });

type Size = keyof typeof sizes;
const walk = (name: string, path: string, go: (page: Page) => Promise<void>, size: Size = "desktop") =>
  visit(
    browser,
    latchkey.url,
    name,
    async ({ page }) => {
      // Below the test's own limit, so that what fails leaves its screenshot.
      page.setDefaultTimeout(10_000);
      await page.request.post("/api/auth/admin/login", { data: adminLogin });
      await page.goto(path);
      await awake(page);
      await go(page);
    },
    { viewport: sizes[size], expected: /status of (404|500)/ },
  );

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
const toast = (page: Page, description: string) => page.getByText(description, { exact: true }).first();

test("by keyboard alone, an admin finds a reseller and adds credit from its row", async () => {
  await register("keyboard.owl");
  await walk("credit by keyboard", "/admin/resellers", async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("KEYBOARD");
    const row = rowOf(page, "keyboard.owl");
    const opener = row.getByRole("button", { name: "Add Credit" });
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add Credit" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("Reseller").inputValue()).toBe("keyboard.owl");
    expect(await isFocused(dialog.getByLabel("Amount"))).toBeTrue();
    await page.keyboard.type("50");
    await dialog.getByText("New balance: 62.5 credits").waitFor();
    expect(await accessProblemsAtRest(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await toast(page, "Credits added successfully").waitFor();
    await dialog.waitFor({ state: "detached" });
    await row.getByText(/62\.5$/).waitFor();
    expect(await isFocused(opener)).toBeTrue();
    expect(new URL(page.url()).search).toBe("?search=KEYBOARD");
  });
});

for (const size of ["desktop", "phone"] as const) {
  test(`on a ${size}, Add Credit searches the resellers, and names what is missing`, async () => {
    await register(`picked.${size}`);
    await register(`other.${size}`);
    await walk(
      `credit on a ${size}`,
      "/admin/resellers",
      async (page) => {
        await page.getByRole("main").getByRole("button", { name: "Add Credit" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Add Credit" });
        const field = dialog.getByRole("combobox", { name: "Reseller" });
        await dialog.getByRole("button", { name: "Add Credit" }).click();
        await dialog.getByText("Please select a reseller").waitFor();
        await dialog.getByText("Amount is required").waitFor();
        expect(await isFocused(field)).toBeTrue();
        await page.keyboard.type(`picked.${size}`);
        await page.getByRole("option").nth(1).waitFor({ state: "detached" });
        await page.getByRole("option", { name: `picked.${size}` }).waitFor();
        expect(await accessProblemsAtRest(page)).toEqual([]);
        await page.keyboard.press("Enter");
        await dialog.getByText("Balance: 12.5 credits").waitFor();
        await page.keyboard.press("Tab");
        await page.keyboard.type("1.5");
        await page.keyboard.press("Enter");
        await dialog.getByText("Amount must be a whole number").waitFor();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.type("7");
        await page.keyboard.press("Enter");
        await toast(page, "Credits added successfully").waitFor();
        await rowOf(page, `picked.${size}`)
          .getByText(/19\.5$/)
          .waitFor();
      },
      size,
    );
  });
}

test("suspending asks first, and a suspended reseller is found again after a reload", async () => {
  const reseller = await register("to.suspend");
  await walk("suspension", "/admin/resellers", async (page) => {
    const row = rowOf(page, "to.suspend");
    await tabTo(page, row.getByRole("button", { name: "Suspend" }));
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Suspend Reseller" });
    await question.getByText("to.suspend will be told and signed out at once").waitFor();
    expect(await accessProblemsAtRest(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect((await reseller.get("/api/reseller/profile")).status).toBe(200);
    await page.keyboard.press("Enter");
    await tabTo(page, question.getByRole("button", { name: "Suspend" }));
    await page.keyboard.press("Enter");
    await toast(page, "Reseller status updated successfully").waitFor();
    await row.getByText("Suspended", { exact: true }).waitFor();
    expect((await reseller.get("/api/reseller/profile")).status).toBe(401);
    await page.getByLabel("Status").selectOption("suspended");
    await page.reload();
    await awake(page);
    await row.waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
    await row.getByRole("button", { name: "Activate" }).click();
    await page.getByText("No resellers found", { exact: true }).waitFor();
    expect(await layoutShift(page)).toBe(0);
  });
});

test("a reseller's key is copied, revoked once that was confirmed, and has no button after", async () => {
  const reseller = await register("key.seller");
  const bought = await reseller.post("/api/reseller/keys/generate", {
    ...{ game: "FREE FIRE", deviceLimit: 100, days: 30, count: 1 },
  });
  const { keyString } = bought.body.keys[0];
  await walk("revocation", "/admin/resellers", async (page) => {
    await rowOf(page, "key.seller").getByRole("link", { name: "Keys" }).click();
    await page.waitForURL(`**/admin/resellers/${reseller.id}/keys`);
    await awake(page);
    await page.getByRole("heading", { level: 1, name: "Manage Keys" }).waitFor();
    await page.getByText("License keys of key.seller").waitFor();
    const row = rowOf(page, keyString);
    await row.getByText("0 / Unlimited").waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await row.getByRole("button", { name: "Copy key" }).click();
    await toast(page, "License key copied to clipboard").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(keyString);
    await row.getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("alertdialog", { name: "Revoke License Key" });
    await question.getByText("This action cannot be undone.").waitFor();
    expect(await accessProblemsAtRest(page)).toEqual([]);
    await question.getByRole("button", { name: "Revoke Key" }).click();
    await toast(page, "The key has been successfully revoked").waitFor();
    await page.getByText("Key Revoked", { exact: true }).first().waitFor();
    await row.getByText("REVOKED", { exact: true }).waitFor();
    expect(await row.getByRole("button", { name: "Revoke" }).count()).toBe(0);
    await page.getByRole("link", { name: "Back to resellers" }).click();
    await page.waitForURL("**/admin/resellers");
  });
});

test("a reseller without keys, and one that does not exist, are said to be so", async () => {
  const reseller = await register("no.keys");
  await walk("no keys", `/admin/resellers/${reseller.id}/keys`, async (page) => {
    await page.getByText("No keys found for this reseller", { exact: true }).waitFor();
    const response = await page.goto("/admin/resellers/999999/keys");
    expect(response?.status()).toBe(404);
    await page.getByText("There is no such reseller.").waitFor();
    expect(await accessProblems(page)).toEqual([]);
  });
});

test("the overview counts, and names the newest resellers first", async () => {
  await register("the.newest");
  await walk("overview", "/admin", async (page) => {
    const entries = page.getByRole("listitem").filter({ hasText: "Reseller registered: " });
    await entries.first().waitFor();
    expect(await entries.count()).toBeLessThanOrEqual(5);
    expect(await entries.first().textContent()).toMatch(/^Reseller registered: the\.newest\d\d\/\d\d\/\d{4}$/);
    const { totalResellers } = (await admin.get("/api/admin/stats")).body;
    const [total] = await page.getByRole("definition").allInnerTexts();
    expect(total).toBe(String(totalResellers));
  });
});

test("a list that does not come says why, and comes when it is asked for again", () =>
  walk("list failure", "/admin", async (page) => {
    await page.route("**/api/admin/resellers?**", (route) => route.fulfill({ status: 500, body: "out of order" }));
    await page.goto("/admin/resellers");
    await page.getByText("500: out of order").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("link", { name: "Keys" }).first().waitFor();
  }));
