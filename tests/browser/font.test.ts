import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openStage } from "./stage.ts";
import { layoutShift, settled } from "./visit.ts";

const stage = openStage();

/** How much a line's width may differ in the fallback font. */
const widthDifferenceMax = 0.03;

const isGeistThere = (page: Page) =>
  page.evaluate(() => [...document.fonts].some(({ family, status }) => family === "Geist" && status === "loaded"));

/** The position of every element, and the width of texts of normal weight, the only weight of the fallback font. */
async function layoutOf(page: Page) {
  const boxes = await page
    .locator("main :is(h1, h1 + p, label, button, a)")
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().toJSON()));
  const textWidth = await page.locator("h1 + p").evaluate((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect().width;
  });
  return { places: boxes.map(({ top, height }) => [top, height]), textWidth };
}

test("the panel loads its own font, and with the fallback font the layout is the same", () =>
  stage.visit(
    "font",
    async ({ page }) => {
      await page.goto("/register");
      await settled(page);
      expect(await isGeistThere(page)).toBeTrue();
      const own = await layoutOf(page);
      expect(own.places.length).toBeGreaterThan(5);

      await page.route("**/*.woff2", (route) => route.abort());
      await page.goto("/register");
      await settled(page);
      expect(await isGeistThere(page)).toBeFalse();
      expect(await layoutShift(page)).toBe(0);
      const standIn = await layoutOf(page);
      expect(standIn.places).toEqual(own.places);
      expect(Math.abs(standIn.textWidth / own.textWidth - 1)).toBeLessThan(widthDifferenceMax);
    },
    { expected: /ERR_FAILED/ },
  ));
