import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { openStage } from "./stage.ts";
import { awake, sizes } from "./visit.ts";

const stage = openStage();

const isMarked = (place: Locator) => place.evaluate((element) => getComputedStyle(element).outlineStyle === "solid");

test("with forced colours the selected tab and the current page are marked in the sidebar and the bottom bar", async () => {
  for (const viewport of [sizes.desktop, sizes.phone]) {
    await stage.visitAsAdmin(
      "forced colours",
      "/admin/create-keys",
      async (page) => {
        const bar = page.getByRole("navigation");
        const places = [
          page.getByRole("tab", { name: "Generate" }),
          page.getByRole("tab", { name: "Manage" }),
          bar.getByRole("link", { name: "Create Keys" }),
          bar.getByRole("link", { name: "Overview" }),
        ];
        expect(await Promise.all(places.map(isMarked))).toEqual([true, false, true, false]);
        if (viewport !== sizes.phone) return;
        await page.goto("/admin/tokens");
        await awake(page);
        expect(await isMarked(bar.getByRole("button", { name: "Menu" }))).toBeTrue();
      },
      { viewport, forcedColors: "active" },
    );
  }
});
