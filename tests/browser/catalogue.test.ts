import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { overflowPixels, settled, type VisitOptions } from "./visit.ts";

const stage = openStage();
const phone: VisitOptions = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

async function visitAsReseller({ cookie }: ResellerClient, walk: (page: Page) => Promise<void>) {
  await stage.visit(
    "catalogue reseller",
    async ({ page, context }) => {
      const [name = "", value = ""] = cookie().split("=");
      await context.addCookies([{ name, value, url: stage.latchkey.url }]);
      await walk(page);
    },
    phone,
  );
}

async function fits(page: Page) {
  expect(await overflowPixels(page)).toBe(0);
  expect(await accessProblems(page)).toEqual([]);
}

test("on a phone an admin adds a game with its prices, and a reseller sells, finds and counts its keys", async () => {
  const admin = await signInAdmin(stage.newClient);
  const owl = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 10 });
  await stage.visitAsAdmin(
    "catalogue phone",
    "/admin/create-keys",
    async (page) => {
      await page.getByRole("link", { name: "Edit games" }).tap();
      await page.getByRole("button", { name: "Add Game" }).tap();
      const dialog = page.getByRole("dialog", { name: "Add Game" });
      await dialog.getByLabel("Name").fill("Ludo Star");
      await dialog.getByLabel("Prefix (optional)").fill("ludo");
      await fits(page);
      await dialog.getByRole("button", { name: "Add Game" }).tap();
      await dialog.waitFor({ state: "detached" });
      await page.getByLabel("Same prices as, for Ludo Star").selectOption("FREE FIRE");
      await page.getByLabel("Ludo Star, 5 days, 1 device").fill("0,7");
      await page.getByText("15 combinations are newly sold for 1 reseller.").waitFor();
      // At the end of the page, the bar with the changes is above no field.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await settled(page);
      const parts = [page.getByRole("row").last(), page.getByRole("region", { name: "Changes" })];
      const [last, bar] = await Promise.all(parts.map((part) => part.boundingBox()));
      expect((last?.y ?? Number.NaN) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      expect(await overflowPixels(page)).toBe(0);
      await page.getByRole("button", { name: "Save Prices" }).tap();
      await toast(page, "Prices saved");
    },
    phone,
  );
  await visitAsReseller(owl, async (page) => {
    await page.goto("/reseller/generate");
    await settled(page);
    await page.getByLabel("Game").selectOption("Ludo Star");
    await page.getByLabel("Duration & Cost").selectOption("5 days (0.7 credits)");
    await page.getByRole("button", { name: "Generate 1 key for 0.7 credits" }).tap();
    const receipt = page.getByRole("region", { name: "Generated Keys" });
    await receipt.getByText("0.7 credits paid, 9.3 left").waitFor();
    const key = (await receipt.getByRole("listitem").textContent())?.match(/LUDO(-[A-Z0-9]{5}){3}/)?.[0] ?? "";
    const verdict = await stage.newClient().post("/api/verify", { key, game: "ludo star", deviceId: "a" });
    expect(verdict.body.code).toBe("VALID");

    await page.goto("/reseller/keys");
    await settled(page);
    await page.getByRole("button", { name: "Filters" }).tap();
    const filters = page.getByRole("dialog", { name: "Filters" });
    await filters.getByLabel("Game").selectOption("Ludo Star");
    await filters.getByRole("button", { name: "Done" }).tap();
    await page.waitForURL("**/reseller/keys?game=Ludo+Star");
    await rowOf(page, key).waitFor();

    await page.goto("/reseller");
    await page.getByRole("slider", { name: /^Keys made, by day\. 1 in total/ }).waitFor();
    await page.getByRole("button", { name: "Credits" }).tap();
    await page.getByRole("slider", { name: /^Credits spent, by day\. 0\.7 in total/ }).waitFor();
    expect((await owl.get("/api/reseller/figures")).body.at(-1).keys["Ludo Star"]).toBe(1);
  });
});
