import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { withClipboard } from "./clipboard.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { settled, type VisitOptions } from "./visit.ts";

const stage = openStage();

/** Visits the key list as a reseller with 30 credits and two keys, and records scripted animations. */
async function atKeys(name: string, walk: (page: Page) => Promise<void>, options: VisitOptions = {}) {
  const username = name.replaceAll(" ", ".");
  const reseller = await registerReseller(stage.newClient, await signInAdmin(stage.newClient), {
    username,
    credits: 30,
  });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 2 };
  await reseller.post("/api/reseller/keys/generate", order);
  await stage.visit(
    name,
    async ({ page, context }) => {
      const [cookie = "", value = ""] = reseller.cookie().split("=");
      await context.addCookies([{ name: cookie, value, url: stage.latchkey.url }]);
      await page.addInitScript(() => {
        const moved: string[] = [];
        const { animate } = Element.prototype;
        Element.prototype.animate = function (...how) {
          moved.push(this.tagName);
          return animate.apply(this, how);
        };
        Object.assign(window, { moved });
      });
      await page.goto("/reseller/keys");
      await settled(page);
      await walk(page);
    },
    options,
  );
}

const moved = (page: Page) => page.evaluate(() => (window as unknown as { moved: string[] }).moved);

async function revokeFirst(page: Page) {
  await page.getByRole("button", { name: "Revoke" }).first().click();
  await page.getByRole("button", { name: "Revoke Key" }).click();
  await page.getByRole("cell", { name: "REVOKED" }).waitFor();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
}

/** All balances that the header has shown. */
async function balancesSaid(page: Page) {
  const said = await page
    .getByRole("banner")
    .locator(".figures")
    .evaluateHandle((figure) => {
      const texts = [figure.textContent];
      const note = () => texts.push(figure.textContent);
      new MutationObserver(note).observe(figure, { subtree: true, characterData: true });
      return texts;
    });
  return () => said.jsonValue();
}

/** Buys keys for 3 credits each and returns the balances that the header showed meanwhile. */
async function balancesWhileBuying(page: Page, count: number, left: string) {
  await page.goto("/reseller/generate");
  await settled(page);
  const said = await balancesSaid(page);
  await page.getByLabel("Game").selectOption("FREE FIRE");
  await page.getByLabel("Number of Keys").fill(String(count));
  await page.getByRole("button", { name: `Generate ${count} key` }).click();
  await page.getByRole("banner").getByText(left, { exact: true }).waitFor();
  return (await said()).map(Number);
}

test("only the changed row is highlighted once, and the balance counts down to the new value", () =>
  atKeys("motion", async (page) => {
    await revokeFirst(page);
    expect(await moved(page)).toEqual(["TR"]);
    const said = await balancesWhileBuying(page, 5, "9");
    expect([said[0], said.at(-1)]).toEqual([24, 9]);
    expect(said.length).toBeGreaterThan(2);
    expect(said).toEqual(said.toSorted((a, b) => b - a));
  }));

test("with reduced motion no row is highlighted and no figure counts", () =>
  atKeys(
    "no motion",
    async (page) => {
      await revokeFirst(page);
      expect(await moved(page)).toEqual([]);
      expect(await balancesWhileBuying(page, 1, "21")).toEqual([24, 21]);
    },
    { reducedMotion: "reduce" },
  ));

test("on the narrowest phone the copy confirmation fits on one line", () =>
  atKeys(
    "brief toast",
    async (page) => {
      await page.getByRole("button", { name: "Copy key" }).first().tap();
      await toast(page, "License key copied to clipboard");
      const shown = page.locator("li[data-state][data-swipe-direction]");
      expect((await shown.boundingBox())?.height).toBeLessThanOrEqual(48);
      const said = shown.getByText("License key copied to clipboard", { exact: true });
      expect(await said.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    },
    { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true, ...withClipboard },
  ));
