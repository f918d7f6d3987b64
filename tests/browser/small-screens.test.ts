import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, overflowPixels, settled, sizes } from "./visit.ts";

const deviceId = "0f8fad5b-d9cb-469f-a165-70867728950e-7c9e6679-7425-40de-944b-e07fc1f90ae7";
const stage = openStage();
let session: { name: string; value: string };

beforeAll(async () => {
  const { newClient } = stage;
  const seller = await registerReseller(newClient, await signInAdmin(newClient), { username: "pocket", credits: 9 });
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 1 };
  const { keys } = (await seller.post("/api/reseller/keys/generate", order)).body;
  await newClient().post("/api/verify", { key: keys[0].keyString, game: "FREE FIRE", deviceId });
  const [name = "", value = ""] = seller.cookie().split("=");
  session = { name, value };
});

async function walk(name: string, viewport: { width: number; height: number }, go: (page: Page) => Promise<void>) {
  await stage.visit(
    `small screens ${name}`,
    async ({ page, context }) => {
      await context.addCookies([{ ...session, url: stage.latchkey.url }]);
      await page.goto("/reseller/keys");
      await awake(page);
      await go(page);
    },
    {
      viewport,
      hasTouch: true,
      permissions: ["clipboard-read", "clipboard-write"],
      expected: /status of 500|ERR_INTERNET/,
    },
  );
}

/** Waits until the layout is stable. */
const still = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every(({ effect }) => effect?.getTiming().iterations !== 1));

/** What follows the header's height has its new place in the frame after the one that measures it. */
const followed = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error("It is not to be seen.");
  return { ...box, bottom: box.y + box.height };
}

test("on a low screen a confirmation scrolls and its buttons stay visible", () =>
  walk("low", { width: 640, height: 240 }, async (page) => {
    await page.getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    await still(page);
    for (const name of ["Revoke Key", "Cancel"]) {
      expect((await boxOf(question.getByRole("button", { name }))).bottom).toBeLessThanOrEqual(240);
    }
    expect((await boxOf(question)).y).toBeGreaterThanOrEqual(0);
    await question.locator(".key-text").scrollIntoViewIfNeeded();
    const key = await boxOf(question.locator(".key-text"));
    expect(key.bottom).toBeLessThanOrEqual((await boxOf(question.getByRole("button", { name: "Revoke Key" }))).y);
  }));

test("on a low screen a form scrolls with its buttons, which cover nothing", () =>
  stage.visitAsAdmin(
    "small low form",
    "/admin/online-updates",
    async (page) => {
      await page.getByRole("button", { name: "Create Update" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Create Update" });
      await dialog.waitFor();
      await still(page);
      const submit = dialog.getByRole("button", { name: "Create Update" });
      await submit.scrollIntoViewIfNeeded();
      const { y, bottom } = await boxOf(submit);
      expect(bottom).toBeLessThanOrEqual(256);
      expect((await boxOf(dialog.getByLabel("Active"))).bottom).toBeLessThanOrEqual(y);
    },
    { viewport: { width: 320, height: 256 } },
  ));

test("on a phone a toast is above the bottom bar, but over a sheet below the header and its notice, and can be swiped away", () =>
  walk("toast", sizes.phone, async (page) => {
    await page.route("**/revoke", (route) => route.fulfill({ status: 500, body: "" }));
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke Key" }).click();
    // By selector, because a confirmation hides everything else from assistive technology.
    const toast = page.locator("li[data-state][data-swipe-direction]");
    await toast.waitFor();
    await still(page);
    const header = await boxOf(page.locator("header").first());
    const question = await boxOf(page.getByRole("alertdialog"));
    const alone = await boxOf(toast);
    expect(alone.y).toBeGreaterThanOrEqual(header.bottom);
    expect(alone.bottom).toBeLessThanOrEqual(question.y);

    await page.context().setOffline(true);
    const notice = page.getByText("You're offline.");
    await notice.waitFor();
    await followed(page);
    expect((await boxOf(toast)).y).toBeGreaterThanOrEqual((await boxOf(notice)).bottom);
    await page.context().setOffline(false);
    await notice.waitFor({ state: "detached" });
    await followed(page);

    const [x, y] = [alone.x + 60, alone.y + alone.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (const moved of [15, 30, 45, 60]) await page.mouse.move(x + moved, y);
    await page.mouse.up();
    await toast.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Copy/ }).first().click();
    await toast.waitFor();
    await still(page);
    const bar = await boxOf(page.getByRole("navigation").filter({ visible: true }));
    const { y: top, bottom } = await boxOf(toast);
    expect([top > sizes.phone.height / 2, bottom <= bar.y]).toEqual([true, true]);
  }));

test("at 320 px the buttons of a page follow its description", () =>
  walk("heading", { width: 320, height: 700 }, async (page) => {
    const description = await boxOf(page.getByText("Search, view and revoke your keys."));
    expect((await boxOf(page.getByRole("link", { name: "Orders" }).first())).y).toBeGreaterThan(description.y);
  }));

for (const width of [320, 390]) {
  test(`on a screen of ${width} px a device's id is fully visible, with its button below it`, () =>
    walk(`device ${width}`, { width, height: 700 }, async (page) => {
      await page.getByRole("button", { name: "View" }).click();
      const id = page.locator("#devices").getByText(deviceId);
      await id.waitFor();
      await still(page);
      expect(await id.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBeTrue();
      const button = await boxOf(page.getByRole("button", { name: /^Remove Device/ }));
      expect(button.y).toBeGreaterThanOrEqual((await boxOf(id)).bottom);
      expect(button.x + button.width).toBeLessThanOrEqual(width);
    }));
}

test("on a phone of 320 px a link back to a reseller with a long name stays on one line", async () => {
  const admin = await signInAdmin(stage.newClient);
  const seller = await registerReseller(stage.newClient, admin, { username: "w".repeat(32), credits: 3 });
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 1 };
  const { orderId } = (await seller.post("/api/reseller/keys/generate", order)).body;
  await stage.visitAsAdmin(
    "small back link",
    `/admin/orders/${orderId}`,
    async (page) => {
      await page.getByRole("link", { name: `Orders of ${seller.username}` }).waitFor();
      await settled(page);
      expect([await overflowPixels(page), await layoutShift(page)]).toEqual([0, 0]);
    },
    { viewport: { width: 320, height: 800 }, isMobile: true, hasTouch: true },
  );
});
