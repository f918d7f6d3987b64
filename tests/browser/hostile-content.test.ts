import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { adminLogin } from "./latchkey.ts";
import { openStage, signIn } from "./stage.ts";
import { settled } from "./visit.ts";

/** Each payload sets `window.executed` if a page runs it. */
const payloads = [
  "<script>window.executed=1</script>",
  "<img src=x onerror=window.executed=1>",
  "</script><script>window.executed=1</script>",
  `"><svg onload=window.executed=1>`,
  "#{window.executed=1}{{window.executed=1}}",
  "<!--<script>",
];

const stage = openStage();
let reseller: ResellerClient;

/** Every input field contains every payload that it accepts. */
beforeAll(async () => {
  const { newClient } = stage;
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

async function expectInert(page: Page, path: string) {
  await page.goto(path);
  await settled(page);
  await page.waitForLoadState("networkidle");
  expect([path, await page.evaluate(() => "executed" in window)]).toEqual([path, false]);
}

test("stored payloads do not run on an admin's pages", () =>
  stage.visit("hostile admin", async ({ page }) => {
    await signIn(page, "admin", adminLogin);
    for (const path of [
      "/admin",
      "/admin/resellers",
      `/admin/resellers/${reseller.id}/keys`,
      "/admin/online-updates",
    ]) {
      await expectInert(page, path);
    }
    for (const text of payloads) await page.getByText(text, { exact: true }).first().waitFor();
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

test("stored payloads and payloads in filters do not run on a reseller's pages", () =>
  stage.visit("hostile reseller", async ({ page }) => {
    await signIn(page, "reseller", { username: reseller.username, password: "test-reseller-password" });
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

test("an address with a payload is not found and runs nothing", () =>
  stage.visit(
    "hostile address",
    async ({ page }) => {
      for (const text of payloads) await expectInert(page, `/${encodeURIComponent(text)}`);
    },
    // A path with an encoded slash is refused.
    { expected: /status of 40[04]/ },
  ));
