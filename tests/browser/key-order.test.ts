import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { focused } from "./keyboard.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { layoutShift, overflowPixels, resize, settled, type VisitOptions } from "./visit.ts";

const stage = openStage();
const phone: VisitOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Visits the page for buying keys as a reseller with this many credits. */
async function order(name: string, credits: number, walk: (page: Page) => Promise<void>, options: VisitOptions = {}) {
  const admin = await signInAdmin(stage.newClient);
  const username = name.replaceAll(" ", ".");
  const seller = await registerReseller(stage.newClient, admin, { username, credits });
  await stage.visit(
    `key order ${name}`,
    async ({ page, context }) => {
      const [cookie = "", value = ""] = seller.cookie().split("=");
      await context.addCookies([{ name: cookie, value, url: stage.latchkey.url }]);
      await page.goto("/reseller/generate");
      await settled(page);
      await walk(page);
    },
    options,
  );
}

const count = (page: Page) => page.getByLabel("Number of Keys");
const total = (page: Page) => page.locator("dl > div").filter({ hasText: "Total cost" }).locator("dd").textContent();

/** The position of the 1 at the beginning of the field. */
async function placeOfDigit(page: Page): Promise<[x: number, y: number]> {
  await count(page).scrollIntoViewIfNeeded();
  const { x = 0, y = 0, height = 0 } = (await count(page).boundingBox()) ?? {};
  return [x + 18, y + height / 2];
}

test("typing 25 into the count field replaces the 1, after a click or by keyboard", () =>
  order("mouse count", 100, async (page) => {
    await page.mouse.click(...(await placeOfDigit(page)));
    await page.keyboard.type("25");
    expect([await count(page).inputValue(), await total(page)]).toEqual(["25", "75 credits"]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("7");
    expect(await count(page).inputValue()).toBe("7");
  }));

test("typing 25 into the count field replaces the 1, after a tap", () =>
  order(
    "tapped count",
    100,
    async (page) => {
      await page.touchscreen.tap(...(await placeOfDigit(page)));
      await page.keyboard.type("25");
      expect([await count(page).inputValue(), await total(page)]).toEqual(["25", "75 credits"]);
    },
    phone,
  ));

test("in a focused number field a click places the caret, and the arrow keys change the number", () =>
  order("caret", 100, async (page) => {
    await page.mouse.click(...(await placeOfDigit(page)));
    await page.keyboard.type("2");
    const [x, y] = await placeOfDigit(page);
    await page.mouse.click(x + 30, y);
    await page.keyboard.type("5");
    expect(await count(page).inputValue()).toBe("25");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await count(page).inputValue()).toBe("27");
  }));

test("a number of keys that could mean two, or is no whole number, is refused and not read as another one", () =>
  order("ambiguous", 100, async (page) => {
    await page.getByLabel("Game").selectOption("FREE FIRE");
    for (const text of ["2,5", "1.000"]) {
      await count(page).fill(text);
      expect(await total(page)).toBe("–");
      await page.getByRole("button", { name: "Generate Keys" }).click();
      await page.getByText("Number of keys must be a whole number").waitFor();
      expect(await count(page).inputValue()).toBe(text);
    }
  }));

for (const width of [320, 390]) {
  test(`on a phone of ${width} px the purchase button is above the navigation, and says what it does`, () =>
    order(
      `thumb ${width}`,
      100,
      async (page) => {
        const bar = page.locator("p").filter({ hasText: "left" }).locator("..");
        const navigation = page.getByRole("navigation", { name: "Main" });
        const bottom = async (place: Locator) => {
          const { y = 0, height = 0 } = (await place.boundingBox()) ?? {};
          return y + height;
        };
        await page.getByLabel("Game").selectOption("FREE FIRE");
        await page.getByRole("button", { name: "25 keys" }).tap();
        await page.getByRole("button", { name: "One less" }).tap();
        await page.getByRole("button", { name: "One more" }).tap();
        expect([await count(page).inputValue(), await total(page)]).toEqual(["25", "75 credits"]);
        expect(await bar.textContent()).toBe("25 credits left afterwardsGenerate 25 keys for 75 credits");
        expect(await bottom(bar)).toBeLessThan((await navigation.boundingBox())?.y ?? 0);
        await page.getByRole("button", { name: "50 keys" }).tap();
        await page.getByText("You need 50.0 more credits to generate 50 key(s).").waitFor();
        expect(await submit(page).textContent()).toBe("INSUFFICIENT CREDITS");
        expect(await accessProblems(page)).toEqual([]);
        expect(await overflowPixels(page)).toBe(0);
        await page.getByRole("button", { name: "25 keys" }).tap();
        await submit(page).tap();
        await toast(page, "Generated 25 key(s) successfully");
        const made = page.getByRole("region", { name: "Generated Keys" }).getByRole("list");
        expect(await made.getByRole("listitem").count()).toBe(25);
        // No scrollable list may intercept the scrolling of the page.
        expect(await made.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0);
      },
      { ...phone, viewport: { width, height: 844 } },
    ));
}

const submit = (page: Page) => page.locator("button[type=submit]");

test("on a phone nothing moves when the loaded balance turns out too low", () =>
  order(
    "low balance",
    1,
    async (page) => {
      expect(await submit(page).textContent()).toBe("INSUFFICIENT CREDITS");
      expect(await layoutShift(page)).toBe(0);
    },
    phone,
  ));

test("after a purchase that leaves too few credits for another, the form shows no error until it is used again", () =>
  order("spent", 7, async (page) => {
    const bought: string[] = [];
    page.on("request", (request) => request.method() === "POST" && bought.push(request.url()));
    await page.getByLabel("Game").selectOption("FREE FIRE");
    await count(page).fill("2");
    await submit(page).click();
    await toast(page, "Generated 2 key(s) successfully");
    const receipt = page.getByRole("region", { name: "Generated Keys" });
    await receipt.getByText("6 credits paid, 1 left").waitFor();
    expect(await page.getByText("Insufficient Credits!").isVisible()).toBeFalse();
    expect(await submit(page).isVisible()).toBeFalse();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Generate More" }).click();
    await focused(page.getByLabel("Game"));
    expect([await count(page).inputValue(), await submit(page).textContent()]).toEqual(["1", "INSUFFICIENT CREDITS"]);
    await page.getByLabel("Duration & Cost").selectOption("10 days (1 credit)");
    expect(await submit(page).isEnabled()).toBeTrue();
    expect(await receipt.isVisible()).toBeTrue();
    expect(bought).toHaveLength(1);
  }));

test("on a phone a key that starts at first use is sold, verified and then seen as started, at any width", () =>
  order(
    "first use",
    10,
    async (page) => {
      await page.getByLabel("Game").selectOption("FREE FIRE");
      await page.getByLabel("Starts").selectOption("At first use");
      expect(await page.locator("p").filter({ hasText: "left" }).textContent()).toBe(
        "7 credits left · starts at first use",
      );
      await submit(page).tap();
      const receipt = page.getByRole("region", { name: "Generated Keys" });
      await receipt.getByText("30 days from first use").waitFor();
      const key = (await receipt.locator(".key-text").textContent()) ?? "";

      await page.goto("/reseller/keys");
      await page.getByText("Starts at first use · 30 days").waitFor();
      for (const width of [320, 390, 900, 1440]) {
        await resize(page, width, 844);
        expect([width, await overflowPixels(page)]).toEqual([width, 0]);
      }
      await resize(page, 390, 844);
      await page.getByRole("link", { name: key }).tap();
      await page.getByText("Not yet").waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await stage.newClient().post("/api/verify", { key, deviceId: "phone-one", game: "FREE FIRE" });
      await page.reload();
      await page.getByText("Started by its first device").waitFor();
      expect(await page.getByText("Not yet").count()).toBe(0);
    },
    phone,
  ));

test("a key created for 30 days has 30 days left", () =>
  stage.visitAsAdmin("key order days", "/admin/create-keys", async (page) => {
    await page.getByLabel("Game").selectOption("FREE FIRE");
    await page.getByLabel("Custom Key").fill("THIRTY-DAYS");
    await page.getByRole("button", { name: "Generate Key" }).click();
    await toast(page, "Generated 1 admin key(s) successfully");
    await page.getByRole("tab", { name: "Manage" }).click();
    await page.getByRole("row").filter({ hasText: "THIRTY-DAYS" }).getByText("30 days left").waitFor();
    await page.getByRole("row").filter({ hasText: "THIRTY-DAYS" }).getByRole("button", { name: "Details" }).click();
    await page.getByRole("dialog").getByText("30 days left").waitFor();
  }));

test("after an admin's order the count is 1 again, and another press does not repeat the order", () =>
  stage.visitAsAdmin("key order admin", "/admin/create-keys", async (page) => {
    await page.getByLabel("Game").selectOption("FREE FIRE");
    await count(page).fill("3");
    await page.getByRole("button", { name: "Generate Keys" }).click();
    await toast(page, "Generated 3 admin key(s) successfully");
    expect(await submit(page).isVisible()).toBeFalse();
    await page.getByRole("tab", { name: "Manage" }).click();
    await page.getByRole("tab", { name: "Generate" }).click();
    await page.getByRole("button", { name: "Generate More" }).click();
    expect([await count(page).inputValue(), await page.getByLabel("Game").inputValue()]).toEqual(["1", "FREE FIRE"]);
  }));
