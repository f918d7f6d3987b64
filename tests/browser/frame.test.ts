import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { adminLogin } from "../process.ts";
import { accessProblems } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { focused, focusInside } from "./keyboard.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, overflowPixels, settled, sizes, visit } from "./visit.ts";

const stage = openStage();

test("while the session loads, Loading... is in the middle of the screen, and the skeleton stays visible", () =>
  stage.visit(
    "session loading",
    async ({ page }) => {
      await signIn(page, "admin", adminLogin);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\/assets\/shell-/, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto("/admin/tokens", { waitUntil: "commit" });
      const loading = page.getByRole("status").filter({ hasText: "Loading..." });
      await loading.waitFor();
      const box = await loading.locator("span").first().boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0) / 2).toBeCloseTo(sizes.phone.height / 2, 0);
      const surface = await loading.evaluate((cover) => getComputedStyle(cover).backgroundColor);
      expect([surface, await page.locator("main .animate-breathe").first().isVisible()]).toEqual([
        "rgba(0, 0, 0, 0)",
        true,
      ]);
      release();
      await awake(page);
      expect(await loading.isVisible()).toBeFalse();
    },
    { viewport: sizes.phone },
  ));

test("space for the scrollbar is always reserved, so that opening a dialog moves nothing", async () => {
  const withScrollbars = await launchChromium({ ignoreDefaultArgs: ["--hide-scrollbars"] });
  try {
    await visit(withScrollbars, stage.latchkey.url, "scrollbar", async ({ page }) => {
      await signIn(page, "admin", adminLogin);
      const lineEnds = () =>
        page.evaluate(() => [
          document.querySelector("header")?.getBoundingClientRect().right,
          document.querySelector("main")?.getBoundingClientRect().right,
        ]);
      for (const height of [300, 1_400]) {
        await page.setViewportSize({ width: 1200, height });
        await page.goto("/admin/tokens");
        await settled(page);
        const track = await page.evaluate(() => document.documentElement.clientWidth);
        expect([height, track < 1200, await lineEnds()]).toEqual([height, true, [track, track]]);
        await page.getByRole("button", { name: "Generate New Token" }).first().click();
        await page.getByRole("dialog").waitFor();
        expect([height, await lineEnds()]).toEqual([height, [track, track]]);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
    });
  } finally {
    await withScrollbars.close();
  }
});

test("on a phone the Menu drawer has the other pages, traps the focus and returns it", () =>
  stage.visitAsAdmin(
    "menu drawer",
    "/admin",
    async (page) => {
      const menu = page.getByRole("button", { name: "Menu" });
      await menu.click();
      const drawer = page.getByRole("dialog", { name: "Menu" });
      await focusInside(drawer);
      await drawer.getByText("admin", { exact: true }).waitFor();
      await drawer.getByText("Administrator", { exact: true }).waitFor();
      expect(await drawer.getByRole("navigation").getByRole("link").allInnerTexts()).toEqual([
        "Online Updates",
        "Referral Tokens",
        "Database Backup",
        "API Documentation",
      ]);
      expect(await accessProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await drawer.waitFor({ state: "detached" });
      await focused(menu);
      await menu.click();
      await drawer.getByRole("button", { name: "Sign Out" }).click();
      await page.waitForURL(`${stage.latchkey.url}/`);
    },
    { viewport: sizes.phone },
  ));

test("when the session ends, the open page shows a notice and stays", () =>
  stage.visitAsAdmin("lost session", "/admin/tokens", async (page, { context }) => {
    // A pending call would be refused too, and the browser would log an error.
    await settled(page);
    await page.waitForLoadState("networkidle");
    await context.clearCookies();
    await page.clock.install();
    await page.clock.fastForward(11_000);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("Your session has ended.").waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/tokens");
  }));

test("an admin is redirected from any path below /reseller to the admin's start page", () =>
  stage.visitAsAdmin("led home", "/admin/tokens", async (page) => {
    await page.goto("/reseller/keys/7/nothing");
    expect(new URL(page.url()).pathname).toBe("/admin");
  }));

test("the stored theme is plain text, and the page is always dark", () =>
  stage.visit("theme", async ({ page }) => {
    await page.goto("/");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("system");
    await page.evaluate(() => localStorage.setItem("theme", "light"));
    await page.reload();
    expect(
      await page.evaluate(() => [localStorage.getItem("theme"), getComputedStyle(document.body).colorScheme]),
    ).toEqual(["light", "dark"]);
  }));

test("Ctrl K finds a key by a part of its text and opens it; an action for the current page opens its dialog", () =>
  stage.visitAsAdmin("command bar", "/admin/tokens", async (page) => {
    const admin = await signInAdmin(stage.newClient);
    const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
    const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, keyString: "SUMMER-2025", count: 1 };
    expect((await admin.post("/api/admin/keys/generate", order)).status).toBe(201);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox");
    await focused(field);
    expect(await accessProblems(page)).toEqual([]);
    await field.fill("generate new");
    await page.keyboard.press("Enter");
    await focusInside(page.getByRole("dialog", { name: "Generate New Token" }));
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Control+k");
    await field.fill("mmer 2o25");
    await page.getByRole("option", { name: "SUMMER-2025" }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/keys\/\d+$/);
  }));

test("Ctrl K acts on what is open or found: it refunds, extends, frees devices, suspends and exports", () =>
  stage.visitAsAdmin("command bar acts", "/admin/api", async (page) => {
    const admin = await signInAdmin(stage.newClient);
    const owl = await registerReseller(stage.newClient, admin, { username: "acting.owl", credits: 9 });
    const bought = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, keyString: "FIRE-ACTED-ON" };
    await owl.post("/api/reseller/keys/generate", bought);
    const deviceId = "a3f1c9d2-phone";
    await stage.newClient().post("/api/verify", { key: "FIRE-ACTED-ON", game: "FREE FIRE", deviceId });

    const choose = async (typed: string, group: string, name: string) => {
      await page.getByRole("button", { name: "Search…" }).getByText("Search…").waitFor();
      await awake(page);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Search" }).getByRole("combobox").fill(typed);
      const option = page.getByRole("group", { name: group }).getByRole("option", { name });
      await option.and(page.locator("[data-active]")).waitFor();
      await page.keyboard.press("Enter");
    };
    const close = async (dialog: Locator) => {
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(new URL(page.url()).hash).toBe("");
    };
    await choose("refund acted", "Revoke", "FIRE-ACTED-ON");
    await close(page.getByRole("alertdialog", { name: "Revoke License Key" }));
    await choose("extend", "FIRE-ACTED-ON", "Extend");
    await close(page.getByRole("dialog", { name: "Extend Key" }));
    await choose("reset devices", "FIRE-ACTED-ON", "Remove Devices");
    await focused(page.getByRole("button", { name: `Remove Device ${deviceId}` }));
    await choose("suspend acting", "Suspend", "acting.owl");
    await close(page.getByRole("alertdialog", { name: "Suspend Reseller" }));

    await page.keyboard.press("Control+k");
    const field = page.getByRole("dialog", { name: "Search" }).getByRole("combobox");
    await field.fill("a3f1");
    await page.getByRole("option", { name: "FIRE-ACTED-ON" }).getByText("Device …a3f1…").waitFor();
    await field.fill("acting.owl");
    await page.getByRole("option", { name: "FIRE-ACTED-ON" }).getByText("Of acting.owl").waitFor();
    await field.fill("export");
    const download = page.waitForEvent("download");
    await page.getByRole("option", { name: "Export Keys" }).click();
    expect(readFileSync(await (await download).path(), "utf8")).toContain("FIRE-ACTED-ON");
  }));

test("the avatar is a menu of the account's pages, and on a phone a sheet", async () => {
  const pages = [
    "Account",
    "API Keys",
    "Webhooks",
    "Shop Links",
    "Staff",
    "Audit Log",
    "Catalogue",
    "Interventions",
    "Import Keys",
  ];
  await stage.visitAsAdmin("avatar", "/admin/api", async (page) => {
    const avatar = page.getByRole("banner").getByRole("button", { name: "Account of admin" });
    await avatar.focus();
    await page.keyboard.press("Enter");
    const items = page.getByRole("menu").getByRole("menuitem");
    await focused(items.first());
    expect(await items.allInnerTexts()).toEqual(pages);
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await focused(avatar);
    await avatar.click();
    await items.getByText("Catalogue").click();
    await page.waitForURL("**/admin/catalogue");
  });
  await stage.visitAsAdmin(
    "avatar on a phone",
    "/admin/api",
    async (page) => {
      await page.getByRole("button", { name: "Account of admin" }).tap();
      const links = page.getByRole("dialog", { name: "admin" }).getByRole("link");
      await links.first().waitFor();
      expect(await links.allInnerTexts()).toEqual(pages);
      expect([await accessProblems(page), await overflowPixels(page)]).toEqual([[], 0]);
      await links.getByText("API Keys").tap();
      await page.waitForURL("**/admin/api-keys");
    },
    { viewport: sizes.phone, isMobile: true, hasTouch: true },
  );
});

test("on a phone the command bar fills the screen, shows why it found something, and returns the focus", () =>
  stage.visitAsAdmin(
    "command bar on a phone",
    "/admin/api",
    async (page) => {
      const button = page.getByRole("button", { name: "Search" });
      await button.click();
      const bar = page.getByRole("dialog", { name: "Search" });
      await focusInside(bar);
      expect(await bar.boundingBox()).toEqual({ x: 0, y: 0, ...sizes.phone });
      expect([await accessProblems(page), await overflowPixels(page)]).toEqual([[], 0]);

      const owl = await registerReseller(stage.newClient, await signInAdmin(stage.newClient), {
        username: "night.owl",
        credits: 1,
      });
      const bought = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, keyString: "FIRE-O5S0I" };
      const { orderId, keys } = (await owl.post("/api/reseller/keys/generate", bought)).body;
      const note = `Paid by transfer ${"and ".repeat(40)}sent to Łukasz`;
      await owl.call("PUT", `/api/reseller/keys/${keys[0].id}/note`, { note });
      await owl.call("PUT", `/api/reseller/orders/${orderId}/note`, { note });
      const field = bar.getByRole("combobox");
      await field.fill("night");
      await bar.getByRole("option", { name: "FIRE-O5S0I" }).waitFor();
      expect(await bar.getByRole("option").first().textContent()).toContain("night.owl");
      await field.fill("fire-0550");
      await bar.getByText("Looks alike").waitFor();
      await field.fill("łukasz");
      const order = bar.getByRole("option", { name: `Order #${orderId}` });
      await order.getByText("sent to Łukasz").waitFor();
      await bar.getByRole("option", { name: "FIRE-O5S0I" }).getByText("sent to Łukasz").waitFor();
      const cut = await order.getByText("Łukasz").evaluate((line) => line.scrollWidth - line.clientWidth);
      expect([cut, await accessProblems(page), await overflowPixels(page)]).toEqual([0, [], 0]);

      await bar.getByRole("button", { name: "Close" }).click();
      await focused(button);
    },
    { viewport: sizes.phone, isMobile: true, hasTouch: true },
  ));
