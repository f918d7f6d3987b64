import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { tabTo } from "./keyboard.ts";
import { adminLogin } from "./latchkey.ts";
import { demoReseller, openStage, signIn } from "./stage.ts";
import { layoutShift, overflowPixels, resize, settled } from "./visit.ts";

const stage = openStage({}, ["--demo"]);

/** Every list (rules.md: Pages) and the role that sees it. */
const lists = [
  { who: "admin", path: "/admin/resellers" },
  { who: "admin", path: "/admin/resellers/3/keys" },
  { who: "admin", path: "/admin/create-keys?tab=manage" },
  { who: "admin", path: "/admin/tokens" },
  { who: "admin", path: "/admin/audit" },
  { who: "admin", path: "/admin/database-backup" },
  { who: "reseller", path: "/reseller/keys" },
] as const;

/** The minimum width of the first column, by window width. */
const firstPixelsMin = [
  { width: 768, pixels: 160 },
  { width: 820, pixels: 160 },
  { width: 900, pixels: 208 },
  { width: 1024, pixels: 160 },
  { width: 1280, pixels: 208 },
  { width: 1359, pixels: 208 },
  { width: 1366, pixels: 208 },
  { width: 1440, pixels: 208 },
  { width: 1920, pixels: 208 },
];

async function enter(page: Page, who: "admin" | "reseller") {
  await signIn(page, who, who === "admin" ? adminLogin : demoReseller(stage.latchkey));
}

async function eachList(page: Page, walk: (path: string) => Promise<void>) {
  for (const who of ["admin", "reseller"] as const) {
    await enter(page, who);
    for (const { path } of lists.filter((list) => list.who === who)) {
      await page.goto(path);
      await settled(page);
      await page.getByRole("row").nth(1).waitFor();
      await walk(path);
    }
  }
}

/** Faults of the list in the page: texts that are cut off or overflow. */
function listFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults = new Set<string>();
    // Texts for screen readers only are 1 px wide.
    const seen = (element: Element) => !element.closest(".sr-only") && element.getBoundingClientRect().width > 1;
    const list = document.querySelector("main table")?.parentElement as HTMLElement;
    if (list.scrollWidth > list.clientWidth) faults.add("is wider than its place");
    for (const cell of [...list.querySelectorAll("th, td")].filter(seen)) {
      const style = getComputedStyle(cell);
      const box = cell.getBoundingClientRect();
      const right = box.right - Number.parseFloat(style.paddingRight);
      const range = document.createRange();
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const parent = texts.currentNode.parentElement as HTMLElement;
        if (!seen(parent)) continue;
        range.selectNodeContents(texts.currentNode);
        const text = range.getBoundingClientRect();
        const name = `${texts.currentNode.textContent} (${cell.tagName})`;
        if (text.right > right + 1 || text.left < box.left - 1) faults.add(`${name} leaves its place`);
        if (parent.clientWidth > 0 && parent.scrollWidth > parent.clientWidth) faults.add(`${name} is cut`);
      }
    }
    return [...faults];
  });
}

/** Asserts that there was no layout shift since the page was opened. */
async function still(page: Page, path: string) {
  expect([path, await layoutShift(page)]).toEqual([path, 0]);
}

/** Runs before the lists, because an open list may request rows while another account signs in. */
async function formComesStill(page: Page) {
  await enter(page, "admin");
  await page.goto("/admin/create-keys");
  await settled(page);
  await still(page, "/admin/create-keys");
}

/** The three cards above the list of collections. */
async function figuresStayInCards(page: Page, path: string) {
  if (path !== "/admin/database-backup") return;
  const excess = await page
    .locator("dl > div")
    .evaluateAll((cards) => cards.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  expect(excess).toEqual([0, 0, 0]);
}

test("from 768 to 1920 px lists have no layout shift, a readable first column, no overlapping columns, and headings below the header", () =>
  stage.visit(
    "lists",
    async ({ page }) => {
      await formComesStill(page);
      await eachList(page, async (path) => {
        await still(page, path);
        await figuresStayInCards(page, path);
        for (const { width, pixels } of firstPixelsMin) {
          await resize(page, width, 800);
          expect([path, width, await listFaults(page)]).toEqual([path, width, []]);
          const first = await page.getByRole("cell").first().boundingBox();
          expect([path, width, (first?.width ?? 0) >= pixels]).toEqual([path, width, true]);
        }
        await resize(page, 900, 700);
        const tops = await page.evaluate(() => {
          window.scrollTo(0, document.documentElement.scrollHeight);
          const topOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().top ?? 0;
          const frame = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
          return { headings: topOf("main thead"), table: topOf("main table"), frame };
        });
        expect([path, tops.headings]).toEqual([path, Math.max(tops.table, tops.frame)]);
        await page.setViewportSize({ width: 1024, height: 800 });
      });
    },
    { viewport: { width: 1024, height: 800 } },
  ));

test("from 768 to 1000 px no list scrolls sideways or overlaps when the sidebar is expanded", () =>
  stage.visit("lists beside sidebar", async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("sidebar", "expanded"));
    await eachList(page, async (path) => {
      for (const width of [768, 820, 890, 1000]) {
        await resize(page, width, 800);
        const found = [path, width, await listFaults(page), await overflowPixels(page)];
        expect(found).toEqual([path, width, [], 0]);
      }
    });
  }));

test("on a touch tablet lists have no layout shift, every row button has a visible label, and no text is cut off", () =>
  stage.visit(
    "lists by touch",
    async ({ page }) => {
      await formComesStill(page);
      await eachList(page, async (path) => {
        await still(page, path);
        await figuresStayInCards(page, path);
        const nameless = await page.locator("tbody [data-tip]:not([aria-label])").evaluateAll(
          (buttons) =>
            buttons.filter((button) => {
              if (!button.checkVisibility()) return false;
              const name = button.querySelector("span > span:not([aria-hidden])")?.getBoundingClientRect();
              const { left, right, bottom } = button.getBoundingClientRect();
              // At most one line per word: no word is broken.
              const words = button.getAttribute("data-tip")?.split(" ").length ?? 0;
              if (!name || name.width < 16 || name.height > words * 13) return true;
              return name.left < left || name.right > right || name.bottom > bottom;
            }).length,
        );
        expect([path, nameless, await listFaults(page), await overflowPixels(page)]).toEqual([path, 0, [], 0]);
      });
    },
    { viewport: { width: 768, height: 1024 }, isMobile: true, hasTouch: true },
  ));

/** The page's horizontal overflow, and the bottom bar's distance from the end of the window. */
async function misfit(page: Page) {
  const bottom = await page
    .getByRole("navigation", { name: "Main" })
    .evaluate((bar) => innerHeight - bar.getBoundingClientRect().bottom);
  return { wider: await overflowPixels(page), bottom };
}

test("on a phone of 320 px lists and the key form have no layout shift", () =>
  stage.visit(
    "jumps 320",
    async ({ page }) => {
      await formComesStill(page);
      await eachList(page, (path) => still(page, path));
    },
    { viewport: { width: 320, height: 800 }, isMobile: true, hasTouch: true },
  ));

const phoneWidths = [320, 360, 390, 412];
/** Below, between and above the widths at which cards change, 360 and 384 px. */
const narrowest = [320, 360, 390];
const asOpened = { width: 360, height: 800 };

test("from 320 to 412 px no list overflows in any state, no card text is cut off, and figures stay on one line; at 360 px there is no layout shift", () =>
  stage.visit(
    "list states",
    async ({ page }) => {
      const fits = async (path: string, state: string) => {
        for (const width of narrowest) {
          await resize(page, width, 800);
          expect([path, state, width, await misfit(page)]).toEqual([path, state, width, { wider: 0, bottom: 0 }]);
        }
      };
      await formComesStill(page);
      await eachList(page, async (path) => {
        await still(page, path);
        for (const width of phoneWidths) {
          await resize(page, width, 800);
          expect([path, width, await misfit(page)]).toEqual([path, width, { wider: 0, bottom: 0 }]);
          expect([path, width, await listFaults(page)]).toEqual([path, width, []]);
          const lines = await page
            .locator("td .figures")
            .evaluateAll((figures) => figures.map((figure) => figure.getClientRects().length));
          expect([path, width, lines.every((count) => count <= 1)]).toEqual([path, width, true]);
          await figuresStayInCards(page, path);
        }
        const search = page.getByRole("searchbox");
        if ((await search.count()) === 0) return page.setViewportSize(asOpened);
        for (const text of ["e", "nothing is called that"]) {
          await search.fill(text);
          await page.getByRole("button", { name: "Clear search" }).waitFor();
          await settled(page);
          await fits(path, text);
          await tabTo(page, page.getByRole("button", { name: "Clear search" }));
          await fits(path, `${text}, at the keyboard`);
        }
        await page.route("**/api/**", (route) => route.fulfill({ status: 500, body: "" }));
        await search.fill("fails");
        await page.getByRole("button", { name: "Retry" }).waitFor();
        await fits(path, "failing");
        await page.unrouteAll();
        await page.setViewportSize(asOpened);
      });
    },
    { viewport: asOpened, isMobile: true, hasTouch: true, expected: /status of 500/ },
  ));

test("a card's button is next to its text, a link is aligned with the dates below it, and the bottom bar's icons are aligned", () =>
  stage.visit("level", async ({ page }) => {
    const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await enter(page, "admin");
    await page.setViewportSize({ width: 900, height: 700 });
    await page.goto("/admin/create-keys");
    await settled(page);
    const words = await boxOf(page.getByText("Removes every device"));
    const reset = await boxOf(page.getByRole("button", { name: "RESET ALL KEYS" }));
    expect(reset.x).toBeGreaterThan(words.x + words.width / 2);
    expect(reset.y).toBeLessThan(words.y + words.height);
    await page.goto("/admin");
    await settled(page);
    const link = await boxOf(page.getByRole("link", { name: "View all" }));
    const date = await boxOf(page.locator("li time").first());
    // The link's text begins 11 px inside its box.
    expect(Math.abs(link.x + link.width - 11 - (date.x + date.width))).toBeLessThanOrEqual(1);
    await page.setViewportSize({ width: 390, height: 844 });
    const tops = await page
      .getByRole("navigation", { name: "Main" })
      .locator("svg")
      .evaluateAll((icons) => icons.map((icon) => icon.getBoundingClientRect().top));
    expect([tops.length, new Set(tops).size]).toEqual([4, 1]);
  }));

test("the tooltip of a row's last action shows its name and stays inside the list", () =>
  stage.visitAsAdmin("row tip", "/admin/database-backup", async (page) => {
    await page.setViewportSize({ width: 900, height: 700 });
    await settled(page);
    const last = page.getByRole("button", { name: /^Download \w+$/ }).last();
    const tip = await last.evaluate((button) => {
      const { content, right } = getComputedStyle(button, "::after");
      return { content, right };
    });
    expect(tip).toEqual({ content: '"Download"', right: "-4px" });
  }));
