import { expect, test } from "bun:test";
import { tabTo } from "./keyboard.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, resize, settled, sizes } from "./visit.ts";

const stage = openStage();

test("from 768 to 1023 px the sidebar is collapsed by default, and the user's choice is kept", () =>
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
    // It was not wide before hydration either.
    expect(await layoutShift(page)).toBe(0);
  }));

test("a collapsed sidebar shows its labels on keyboard focus", () =>
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

test("on touch tablets of 768 to 1180 px the sidebar shows its labels in full, off its edges", () =>
  stage.visitAsAdmin(
    "touch sidebar",
    "/admin",
    async (page) => {
      for (const choice of ["auto", "expanded", "collapsed"]) {
        await page.evaluate((kept) => localStorage.setItem("sidebar", kept), choice);
        await page.reload();
        await awake(page);
        for (const width of [768, 820, 1024, 1180]) {
          await resize(page, width, 800);
          const names = page.locator("aside a span, aside button:visible span");
          const rooms = await names.evaluateAll((spans) => {
            const right = document.querySelector("aside")?.getBoundingClientRect().right ?? 0;
            return spans.map((span) => {
              const box = span.getBoundingClientRect();
              return [span.textContent, box.width > 20 && box.left >= 6 && box.right <= right - 6];
            });
          });
          const cut = rooms.filter(([, fits]) => !fits);
          expect([choice, width, rooms.length >= 7, cut]).toEqual([choice, width, true, []]);
        }
      }
    },
    { viewport: { width: 768, height: 800 }, isMobile: true, hasTouch: true },
  ));
