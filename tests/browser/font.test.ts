import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openStage } from "./stage.ts";
import { layoutShift, settled } from "./visit.ts";

const stage = openStage();

/** How far a line may be wider or narrower in the stand-in's letters. */
const widthDifferenceMax = 0.03;

const isGeistThere = (page: Page) =>
  page.evaluate(() => [...document.fonts].some(({ family, status }) => family === "Geist" && status === "loaded"));

/** Where everything stands, and how wide a text of the ordinary weight is: the stand-in has no other. */
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

test("the panel comes with its own font, and without it nothing stands elsewhere", () =>
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
