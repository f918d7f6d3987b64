import { expect, test } from "bun:test";
import { tabTo } from "./at-keyboard.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, settled, sizes } from "./visit.ts";

const stage = openStage();

test("the sidebar is collapsed by itself from 768 to 1023 px, and stays as one left it", () =>
  stage.visitAsAdmin("sidebar", "/admin", async (page) => {
    const isWide = (pixels: number) =>
      page.waitForFunction((width) => document.querySelector("aside")?.getBoundingClientRect().width === width, pixels);
    await isWide(240);
    await page.setViewportSize(sizes.tablet);
    await isWide(64);
    await page.setViewportSize(sizes.desktop);
    await isWide(240);
    await page.getByRole("button", { name: "Collapse sidebar" }).click();
    await isWide(64);
    await page.reload();
    await settled(page);
    await isWide(64);
    // Nor was it wide before the page awoke.
    expect(await layoutShift(page)).toBe(0);
  }));

test("a collapsed sidebar tells its names to the keyboard too", () =>
  stage.visitAsAdmin(
    "sidebar names",
    "/admin",
    async (page) => {
      const link = page.getByRole("navigation", { name: "Administrator" }).getByRole("link", { name: "Create Keys" });
      const tip = () => link.evaluate((place) => getComputedStyle(place, "::after").display);
      expect(await tip()).toBe("none");
      await tabTo(page, link);
      expect([await tip(), await link.getAttribute("data-tip")]).toEqual(["block", "Create Keys"]);
    },
    { viewport: sizes.tablet },
  ));

for (const width of [768, 820, 1024, 1180]) {
  test(`on a touch tablet of ${width} px the sidebar's names stand there, and none is cut`, () =>
    stage.visitAsAdmin(
      `touch sidebar ${width}`,
      "/admin",
      async (page) => {
        for (const choice of ["auto", "expanded", "collapsed"]) {
          await page.evaluate((kept) => localStorage.setItem("sidebar", kept), choice);
          await page.reload();
          await awake(page);
          const names = page.locator("aside a span, aside button:visible span");
          const rooms = await names.evaluateAll((spans) => {
            const right = document.querySelector("aside")?.getBoundingClientRect().right ?? 0;
            return spans.map((span) => {
              const box = span.getBoundingClientRect();
              return [span.textContent, box.width > 20 && box.left >= 0 && box.right <= right];
            });
          });
          expect([choice, rooms.length >= 7, rooms.filter(([, fits]) => !fits)]).toEqual([choice, true, []]);
        }
      },
      { viewport: { width, height: 800 }, isMobile: true, hasTouch: true },
    ));
}
