import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, visit } from "./visit.ts";

setDefaultTimeout(30_000);

/** Each would say so in `window.executed` if a page ran it. */
const payloads = [
  "<script>window.executed=1</script>",
  "<img src=x onerror=window.executed=1>",
  "</script><script>window.executed=1</script>",
  `"><svg onload=window.executed=1>`,
  "#{window.executed=1}{{window.executed=1}}",
  "<!--<script>",
];

let latchkey: Latchkey;
let browser: Browser;
let reseller: ResellerClient;

/** Every field that somebody can fill holds every payload that it lets in. */
beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey(), launchChromium()]);
  const newClient = () => createClient(latchkey.url);
  const admin = await signInAdmin(newClient);
  reseller = await registerReseller(newClient, admin, { username: "hostile", credits: 100 });
  const bought = await reseller.post("/api/reseller/keys/generate", {
    game: "FREE FIRE",
    deviceLimit: 100,
    days: 30,
    count: 1,
  });
  const [key] = bought.body.keys;
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 100, expiryDate, keyString: "ADMIN-KEY", count: 1 };
  await admin.post("/api/admin/keys/generate", order);
  for (const [index, text] of payloads.entries()) {
    const linkUrl = `https://example.com/?${encodeURIComponent(text)}`;
    const update = { title: text, message: text, buttonText: text, linkUrl };
    expect((await admin.post("/api/admin/online-updates", update)).status).toBe(201);
    for (const owner of [key.keyString, "ADMIN-KEY"]) {
      const device = { key: owner, deviceId: `${index}${text.replaceAll(" ", "\u00b7")}`, game: "FREE FIRE" };
      expect((await newClient().post("/api/verify", device)).body.valid).toBe(true);
    }
  }
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
});

async function expectInert(page: Page, path: string) {
  await page.goto(path);
  await awake(page);
  await page.waitForLoadState("networkidle");
  expect([path, await page.evaluate(() => "executed" in window)]).toEqual([path, false]);
}

test("what an admin reads runs nothing, whatever was stored", () =>
  visit(browser, latchkey.url, "hostile admin", async ({ page }) => {
    await page.request.post("/api/auth/admin/login", { data: adminLogin });
    for (const path of [
      "/admin",
      "/admin/resellers",
      `/admin/resellers/${reseller.id}/keys`,
      "/admin/online-updates",
    ]) {
      await expectInert(page, path);
    }
    for (const text of payloads) expect(await page.getByText(text, { exact: true }).first().isVisible()).toBe(true);
    await expectInert(page, "/admin/create-keys?tab=manage");
    await page
      .getByRole("button", { name: /Details/ })
      .first()
      .click();
    await page
      .getByRole("dialog")
      .getByText(payloads[4] as string)
      .first()
      .waitFor();
    expect(await page.evaluate(() => "executed" in window)).toBe(false);
  }));

test("what a reseller reads runs nothing, and neither does a filter in the address", () =>
  visit(browser, latchkey.url, "hostile reseller", async ({ page }) => {
    const data = { username: reseller.username, password: "test-reseller-password" };
    await page.request.post("/api/auth/reseller/login", { data });
    await expectInert(page, "/reseller");
    for (const text of payloads) await expectInert(page, `/reseller/keys?search=${encodeURIComponent(text)}`);
    await expectInert(page, "/reseller/keys");
    await page.getByRole("button", { name: /View/ }).first().click();
    await page
      .getByRole("dialog")
      .getByText(payloads[4] as string)
      .first()
      .waitFor();
    expect(await page.evaluate(() => "executed" in window)).toBe(false);
  }));

test("an address with a payload in it is not found, and runs nothing", () =>
  visit(
    browser,
    latchkey.url,
    "hostile address",
    async ({ page }) => {
      for (const text of payloads) await expectInert(page, `/${encodeURIComponent(text)}`);
    },
    { expected: /404/ },
  ));
