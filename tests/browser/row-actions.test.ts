import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { adminLogin } from "./latchkey.ts";
import { rowOf } from "./on-screen.ts";
import { demoReseller, openStage, signIn } from "./stage.ts";
import { settled } from "./visit.ts";

const stage = openStage({}, ["--demo"]);

async function openKeys(page: Page) {
  await signIn(page, "reseller", demoReseller(stage.latchkey));
  await page.goto("/reseller/keys");
  await settled(page);
}

/** Waits until all transitions have ended. */
async function colorsOf(button: Locator) {
  await button.page().waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  return button.evaluate((element) => {
    const { color, borderColor } = getComputedStyle(element);
    const channels = color.match(/[\d.]+/g)?.map(Number) ?? [];
    const [red = 0, green = 0] = channels;
    return { framed: !/, 0\)$|\/ 0\)$|^transparent$/.test(borderColor), red: red > green * 1.3 };
  });
}

test("a row's buttons get a frame when the row is hovered, and a destructive one turns red when it is hovered", () =>
  stage.visit("quiet rows", async ({ page }) => {
    await openKeys(page);
    const row = page.getByRole("row").filter({ hasText: "ACTIVE" }).first();
    const revoke = row.getByRole("button", { name: "Revoke" });
    await page.mouse.move(5, 5);
    expect(await colorsOf(revoke)).toEqual({ framed: false, red: false });
    await row.hover();
    expect(await colorsOf(revoke)).toEqual({ framed: true, red: false });
    await revoke.hover();
    expect(await colorsOf(revoke)).toEqual({ framed: true, red: true });
    await page.mouse.move(5, 5);
    await row.getByRole("button", { name: "Extend" }).focus();
    await page.keyboard.press("Tab");
    expect(await colorsOf(revoke)).toEqual({ framed: true, red: true });
    expect(await colorsOf(row.getByRole("button", { name: "View" }))).toEqual({ framed: true, red: false });
  }));

test("buttons of one kind are vertically aligned in all rows, and Add Credit waits for the pointer or the focus", () =>
  stage.visit("straight rows", async ({ page }) => {
    const lefts = (name: string | RegExp) =>
      page
        .locator("tbody")
        .getByRole("button", { name })
        .evaluateAll((buttons) => new Set(buttons.map((button) => button.getBoundingClientRect().left)).size);
    await openKeys(page);
    // Oldest first, so that expired keys without a Revoke button are next to active ones.
    await page.goto("/reseller/keys?descending=false");
    await page.getByRole("row").filter({ hasText: "EXPIRED" }).first().waitFor();
    expect(await lefts("View")).toBe(1);
    await page.context().clearCookies();
    await signIn(page, "admin", adminLogin);
    for (const width of [900, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/admin/resellers");
      await settled(page);
      await rowOf(page, "Suspended").waitFor();
      expect([width, await lefts("Add Credit"), await lefts(/^(Suspend|Activate)$/)]).toEqual([width, 1, 1]);
      const row = rowOf(page, "Suspended").first();
      const credit = row.getByRole("button", { name: "Add Credit" });
      const opacity = () => credit.evaluate((button) => getComputedStyle(button).opacity);
      await page.mouse.move(5, 5);
      expect(await opacity()).toBe("0");
      await row.hover();
      expect(await opacity()).toBe("1");
      await page.mouse.move(5, 5);
      await row.getByRole("link").first().focus();
      await page.keyboard.press("Tab");
      expect(await opacity()).toBe("1");
    }
  }));

test("rows that light up are links all over, and other rows stay as they are", () =>
  stage.visit("row links", async ({ page }) => {
    await signIn(page, "reseller", demoReseller(stage.latchkey));
    const lit = async () => {
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
      return page.locator("tbody tr:hover").evaluate((row) => getComputedStyle(row).backgroundColor);
    };
    for (const [width, path] of [
      [1440, "/reseller/orders"],
      [1440, "/reseller/keys"],
      [900, "/reseller/keys"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      await settled(page);
      const date = page
        .locator("tbody tr")
        .first()
        .getByRole("cell")
        .filter({ has: page.locator("time") })
        .first();
      const { x, y } = (await date.boundingBox()) ?? { x: 0, y: 0 };
      await page.mouse.move(x + 3, y + 3);
      expect([width, path, await lit()]).not.toEqual([width, path, "rgba(0, 0, 0, 0)"]);
      // A real link, so that every button and the browser's menu open it.
      const href = await page.evaluate(
        (at) =>
          document
            .elementFromPoint(at.x + 3, at.y + 3)
            ?.closest("a")
            ?.getAttribute("href"),
        { x, y },
      );
      expect(href).toMatch(/^\/reseller\/(keys|orders)\/\d+$/);
      await page.mouse.click(x + 3, y + 3);
      await page.waitForURL(`**${href}`);
    }
    await page.goto("/reseller/credits");
    await settled(page);
    await page.locator("tbody tr").first().hover();
    expect(await lit()).toBe("rgba(0, 0, 0, 0)");
  }));

test("while rows are selected a press on a row selects it and does not leave the list", () =>
  stage.visit("row links and selection", async ({ page }) => {
    await openKeys(page);
    const rows = page.locator("tbody tr");
    await rows.first().hover();
    await rows.first().getByRole("checkbox").click();
    await rows
      .nth(2)
      .getByRole("cell")
      .nth(2)
      .click({ position: { x: 3, y: 3 } });
    expect(await rows.nth(2).getByRole("checkbox").isChecked()).toBe(true);
    expect(new URL(page.url()).pathname).toBe("/reseller/keys");
  }));
