import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, lowTargets, resize, settled, sizes } from "./visit.ts";

/** The longest possible values: a balance of millions, and the maximum number of devices. */
const credits = 1_234_573.5;
const price = 12;

/** The height of a key's card. The narrowest phones need one more line. */
const keyPixelsMax = 104;
const narrowKeyPixelsMax = 128;
const firstKeyPixelsMax = 260;
/** The longest prefix of a game. */
const longKey = "LONGPREF-K3F9A-Q8W2E-7RT5Y";
const widestDate = "Mar 30, 2026";

const stage = openStage();
let admin: Client;
let reseller: ResellerClient;

beforeAll(async () => {
  const { newClient } = stage;
  admin = await signInAdmin(newClient);
  reseller = await registerReseller(newClient, admin, { username: "night.owl", credits: 73.5 });
  for (let left = 1_234_500; left > 0; left -= 100_000) {
    const amount = Math.min(left, 100_000);
    await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount });
  }
  const order = { game: "LAST ISLAND OF SURVIVAL", deviceLimit: 100 };
  const bought = await reseller.post("/api/reseller/keys/generate", { ...order, days: 60, count: 2 });
  const expiryDate = new Date(Date.now() + 300 * 86_400_000).toISOString();
  await admin.post("/api/admin/keys/generate", { ...order, expiryDate, count: 1, keyString: longKey });
  const made = await admin.post("/api/admin/keys/generate", { ...order, expiryDate, count: 1 });
  for (const { keyString: key, game } of [bought.body.keys[0], made.body.keys[0]]) {
    for (let device = 0; device < 100; device += 1) {
      await newClient().post("/api/verify", { key, game, deviceId: `phone-${device}` });
    }
  }
});

/** The lists of keys by role. */
const lists = () =>
  [
    [reseller, "/reseller/keys"],
    [admin, "/admin/create-keys?tab=manage"],
    [admin, `/admin/resellers/${reseller.id}/keys`],
  ] as const;

async function open(page: Page, who: Client, path: string, width: number, height = 700) {
  const [name = "", value = ""] = who.cookie().split("=");
  await page.context().addCookies([{ name, value, url: stage.latchkey.url }]);
  await page.setViewportSize({ width, height });
  await page.goto(path);
  await awake(page);
  await page.waitForLoadState("networkidle");
}

/** By how many pixels a text overflows, or 0. */
const excess = (text: Locator) =>
  text.evaluate(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth));
const showText = (element: Element, text: string) => {
  element.textContent = text;
};
const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const middleOf = async (place: Locator) => {
  const { y, height } = await boxOf(place);
  return y + height / 2;
};

test("from 768 to 1440 px every key is readable, and its devices do not overlap its status", () =>
  stage.visit("columns", async ({ page }) => {
    for (const [who, path] of lists()) {
      await open(page, who, path, 1440);
      for (const width of [1440, 1366, 1024, 900, 768]) {
        await resize(page, width, 700);
        const row = page.getByRole("row").filter({ hasText: "100 / Unlimited" });
        const devices = await boxOf(row.getByText("100 / Unlimited"));
        const status = await boxOf(row.getByText("ACTIVE"));
        expect([path, width, devices.x + devices.width < status.x]).toEqual([path, width, true]);
        for (const key of await page.locator("tbody .key-text").all())
          expect([path, width, await excess(key)]).toEqual([path, width, 0]);
        const heading = await boxOf(page.getByRole("columnheader", { name: "Key" }).getByRole("button"));
        expect([path, width, heading.height < 40]).toEqual([path, width, true]);
      }
    }
  }));

test("on a touch tablet a row of keys has View, Extend and Revoke, and they fit", () =>
  stage.visit(
    "touch tablet",
    async ({ page }) => {
      for (const [who, path] of lists()) {
        await open(page, who, path, 900);
        for (const width of [900, 768]) {
          await resize(page, width, 700);
          const row = page.getByRole("row").filter({ hasText: "100 / Unlimited" });
          const buttons = row.getByRole("cell").last().getByRole("button");
          const view = who === reseller ? ["View"] : path.includes("create-keys") ? ["Details"] : [];
          expect([path, width, await buttons.allInnerTexts()]).toEqual([path, width, [...view, "Extend", "Revoke"]]);
          const places = [row.getByText("ACTIVE"), ...(await buttons.all())];
          const boxes = await Promise.all(places.map(boxOf));
          const apart = boxes.every(
            ({ x }, index) => x >= Math.max(0, ...boxes.slice(0, index).map((box) => box.x + box.width)) - 0.5,
          );
          expect([path, width, apart]).toEqual([path, width, true]);
          expect([path, width, await excess(page.locator("main table"))]).toEqual([path, width, 0]);
          for (const game of await page.getByRole("cell").getByText("LAST ISLAND OF SURVIVAL").all()) {
            const text = game.locator("..");
            expect([path, width, await excess(text)]).toEqual([path, width, 0]);
            const key = await boxOf(text.locator("xpath=../td[1]//*[contains(@class, 'key-text')]"));
            expect([path, width, (await boxOf(game)).y >= key.y + key.height - 1]).toEqual([path, width, true]);
          }
        }
      }
    },
    { isMobile: true, hasTouch: true, viewport: { width: 900, height: 700 } },
  ));

test("a balance of millions fits its card and next to Logout at every width", () =>
  stage.visit("balance", async ({ page }) => {
    const balance = (credits - price).toLocaleString("en-US");
    await open(page, reseller, "/reseller", 1024);
    for (const width of [1024, 390, 360, 320]) {
      await resize(page, width, 700);
      for (const figure of await page.locator("dd .figures").all())
        expect([width, await excess(figure)]).toEqual([width, 0]);
      const credit = await boxOf(page.getByRole("banner").getByText(balance));
      const logout = await boxOf(page.getByRole("banner").getByRole("button", { name: "Logout" }));
      expect([width, credit.x + credit.width <= logout.x]).toEqual([width, true]);
      const avatar = page.getByRole("banner").getByText("N", { exact: true });
      if (await avatar.isVisible()) {
        const { x, width: across } = await boxOf(avatar);
        expect([width, credit.x + credit.width <= x && x + across <= logout.x]).toEqual([width, true]);
      }
    }
  }));

test("a title is aligned with the button next to it", () =>
  stage.visit("level", async ({ page }) => {
    await open(page, reseller, "/reseller", 1440);
    const title = page.getByRole("heading", { name: "Recent Key Activities" });
    expect(await middleOf(page.getByRole("link", { name: "View all" }))).toBeCloseTo(await middleOf(title), 0);
    for (const { width, height } of [sizes.phone, sizes.tablet]) {
      await open(page, reseller, "/reseller/keys", width, height);
      await page.getByRole("button", { name: "View" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { name: "Key Details" }).waitFor();
      await page.waitForFunction(() => document.getAnimations().length === 0);
      const close = await middleOf(dialog.getByRole("button", { name: "Close" }));
      expect(close).toBeCloseTo(await middleOf(dialog.getByRole("heading", { name: "Key Details" })), 0);
    }
  }));

test("at 900 px a page's button is next to its description", () =>
  stage.visit("page heading", async ({ page }) => {
    await open(page, reseller, "/reseller/keys", 900);
    const description = await boxOf(page.getByText("Search, view and revoke your keys."));
    const button = await boxOf(page.getByRole("main").getByRole("link", { name: "Generate Keys" }));
    expect([button.y < description.y + description.height, button.x >= description.x + description.width]).toEqual([
      true,
      true,
    ]);
  }));

test("on phones of 320 to 390 px keys begin near the top, are compact, and have buttons in reach of a thumb", () =>
  stage.visit(
    "phone keys",
    async ({ page }) => {
      for (const [who, path] of lists()) {
        await open(page, who, path, 390, 800);
        for (const width of [390, 360, 320]) {
          await resize(page, width, 800);
          const key = page.locator("tbody tr").first();
          for (const date of await key.locator("time").all()) await date.evaluate(showText, widestDate);
          const { y, height } = await boxOf(key);
          expect([path, width, y <= firstKeyPixelsMax]).toEqual([path, width, true]);
          const pixelsMax = width < 360 ? narrowKeyPixelsMax : keyPixelsMax;
          expect([path, width, height <= pixelsMax]).toEqual([path, width, true]);
          for (const button of await key.getByRole("button").all()) {
            const { x, width: across } = await boxOf(button);
            expect([path, width, x + across <= width]).toEqual([path, width, true]);
          }
          expect([path, width, await lowTargets(page)]).toEqual([path, width, []]);
        }
      }
    },
    { isMobile: true, hasTouch: true },
  ));

test("on a phone the filters are in a sheet, behind one button that counts them", () =>
  stage.visit(
    "filter sheet",
    async ({ page }) => {
      await open(page, reseller, "/reseller/keys?status=ACTIVE", 390, 844);
      expect(await page.getByRole("combobox").count()).toBe(0);
      const button = page.getByRole("button", { name: "Filters 1 set" });
      await button.click();
      const sheet = page.getByRole("dialog", { name: "Filters" });
      await sheet.getByLabel("Game").selectOption("FREE FIRE");
      await sheet.getByLabel("Sort by").selectOption("Key, A to Z");
      await sheet.getByRole("button", { name: "Done" }).click();
      await page.getByText("No keys found.").waitFor();
      expect(page.url()).toEndWith("/reseller/keys?status=ACTIVE&game=FREE+FIRE&sort=key&descending=false");
      await page.getByRole("button", { name: "Filters 2 set" }).click();
      await sheet.getByRole("button", { name: "Clear Filters" }).click();
      await sheet.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Filters", exact: true }).waitFor();
      expect(page.url()).toEndWith("/reseller/keys?sort=key&descending=false");
    },
    { isMobile: true, hasTouch: true },
  ));

test("on a phone Back closes the sheet and keeps its filters; closed otherwise, it leaves no history entry", () =>
  stage.visit(
    "back closes",
    async ({ page }) => {
      await open(page, reseller, "/reseller", 390, 844);
      // The key with devices is first.
      await page.goto("/reseller/keys?sort=devices");
      await settled(page);
      const sheets = page.getByRole("dialog");
      await page.getByRole("button", { name: "Filters" }).click();
      await sheets.getByLabel("Status").selectOption("ACTIVE");
      await page.goBack();
      await sheets.waitFor({ state: "detached" });
      expect(page.url()).toEndWith("/reseller/keys?sort=devices&status=ACTIVE");
      const view = page.getByRole("button", { name: "View" }).first();
      await view.click();
      await sheets.getByRole("button", { name: "Close" }).click();
      await sheets.waitFor({ state: "detached" });
      expect(page.url()).toEndWith("/reseller/keys?sort=devices&status=ACTIVE");
      await page.getByRole("button", { name: "Menu" }).click();
      await sheets.getByRole("link", { name: /Account/ }).click();
      await page.waitForURL("**/reseller/account");
      await page.goBack();
      await page.waitForURL(/reseller\/keys\?.*status=ACTIVE/);
      await settled(page);
      await page.goBack();
      await page.waitForURL(/\/reseller$/);
    },
    { isMobile: true, hasTouch: true },
  ));

test("the balance's placeholder in the cost box has the balance's position", () =>
  stage.visit("cost skeleton", async ({ page }) => {
    const [name = "", value = ""] = reseller.cookie().split("=");
    await page.context().addCookies([{ name, value, url: stage.latchkey.url }]);
    await page.route("**/api/reseller/profile", () => {});
    await page.goto("/reseller/generate");
    await awake(page);
    const place = page.locator("dd").last();
    const [whole, bar] = [await boxOf(place), await boxOf(place.locator("[aria-hidden] > span"))];
    expect(bar.x + bar.width).toBeCloseTo(whole.x + whole.width, 0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }));

test("a new reseller gets from the registration to the Reseller tab without layout shift", () =>
  stage.visit("registration", async ({ page }) => {
    const { body } = await admin.post("/api/admin/tokens/generate");
    await page.goto("/register");
    await awake(page);
    await page.getByLabel("Username").fill("new.seller ");
    await page.getByLabel("Password", { exact: true }).fill("a-long-password");
    await page.getByLabel("Referral Token").fill(body.token.token);
    await page.getByRole("button", { name: "Register Account" }).click();
    await page.waitForURL(`${stage.latchkey.url}/`);
    await awake(page);
    expect(await page.getByRole("tab", { name: "Reseller" }).getAttribute("aria-selected")).toBe("true");
    expect(await layoutShift(page)).toBe(0);
    await page.getByLabel("Username").fill("new.seller");
    await page.getByLabel("Password", { exact: true }).fill("a-long-password");
    await page.getByRole("button", { name: "Login as Reseller" }).click();
    await page.waitForURL("**/reseller");
  }));
