import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { focused } from "./keyboard.ts";
import { openStage } from "./stage.ts";
import { awake, settled, sizes, type Visit, type VisitOptions } from "./visit.ts";

const stage = openStage();
let session: { name: string; value: string };

beforeAll(async () => {
  const { newClient } = stage;
  const seller = await registerReseller(newClient, await signInAdmin(newClient), { username: "far.away", credits: 9 });
  await seller.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 2 });
  const [name = "", value = ""] = seller.cookie().split("=");
  session = { name, value };
});

/** Visits the key list as a reseller; the browser logs each call that fails without a network. */
async function walk(name: string, go: (visit: Visit) => Promise<void>, options: VisitOptions = {}) {
  await stage.visit(
    `lost network ${name}`,
    async (visited) => {
      await visited.context.addCookies([{ ...session, url: stage.latchkey.url }]);
      await visited.page.goto("/reseller/keys");
      await awake(visited.page);
      await visited.page.getByText("Showing 2 of 2 keys").waitFor();
      await go(visited);
    },
    {
      permissions: ["clipboard-read", "clipboard-write"],
      expected: /ERR_(INTERNET_DISCONNECTED|FAILED)|WebSocket/,
      ...options,
    },
  );
}

const lost = "This could not be loaded. Check your connection and try again.";

test("a login without a network shows an error and keeps the input, even as the first interaction", () =>
  stage.visit(
    "lost network login",
    async ({ page, context }) => {
      page.on("dialog", (dialog) => dialog.accept());
      await page.goto("/");
      await awake(page);
      await context.setOffline(true);
      await page.getByLabel("Username").fill("far.away");
      await page.getByLabel("Password", { exact: true }).fill("a password");
      await page.keyboard.press("Enter");
      await page.getByText("Login Failed", { exact: true }).first().waitFor();
      expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("a password");
    },
    { expected: /ERR_INTERNET_DISCONNECTED/ },
  ));

test("a dialog that cannot load without a network shows an error, and opens once the network is back", () =>
  walk("dialog", async ({ page, context }) => {
    const view = page.getByRole("button", { name: "View" }).first();
    await context.setOffline(true);
    await page.getByText("You're offline.").waitFor();
    await view.click();
    await page.getByText(lost, { exact: true }).first().waitFor();
    await page.getByText("Showing 2 of 2 keys").waitFor();
    await context.setOffline(false);
    await view.click();
    await page.getByRole("dialog", { name: "Key Details" }).getByText("No devices connected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await focused(view);
  }));

test("a script that failed to load is requested again by the next press", () =>
  walk("script", async ({ page }) => {
    // Everything not yet loaded fails.
    await page.route("**/assets/**", (route) => route.abort());
    const revoke = page.getByRole("button", { name: "Revoke" }).first();
    await revoke.click();
    await page.getByText(lost, { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.unroute("**/assets/**");
    await revoke.click();
    await page.getByRole("alertdialog", { name: "Revoke License Key" }).waitFor();
  }));

test("on a phone the bottom bar and the notices keep working if a menu and a toast cannot load", () =>
  walk(
    "phone",
    async ({ page, context }) => {
      await context.setOffline(true);
      await page.getByRole("button", { name: "Copy key" }).first().click();
      await page.getByText("License key copied to clipboard", { exact: true }).first().waitFor();
      const menu = page.getByRole("button", { name: "Menu" });
      await menu.click();
      await page.getByText(lost, { exact: true }).first().waitFor();
      await page.getByText("You're offline.").waitFor();
      await context.setOffline(false);
      await menu.click();
      await page.getByRole("dialog", { name: "Menu" }).waitFor();
    },
    { viewport: sizes.phone },
  ));

test("the notice of a lost network covers nothing, at any size", async () => {
  for (const viewport of [sizes.desktop, sizes.tablet, sizes.phone, { width: 320, height: 568 }]) {
    await walk(
      `notice at ${viewport.width}`,
      async ({ page, context }) => {
        await page.goto("/reseller/generate");
        await settled(page);
        await context.setOffline(true);
        await page.getByText("You're offline.").waitFor();
        expect(await coveredByNotice(page)).toEqual([]);
        // Scrolled down, it stays in view, and the parts that stay below the header stay below the notice.
        await page.evaluate(() => scrollTo(0, 200));
        const notice = page.getByText("You're offline.");
        const top = await notice.evaluate((element) => element.getBoundingClientRect().top);
        expect(top).toBe(await page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().bottom));
        expect(await page.evaluate(() => getComputedStyle(document.body).getPropertyValue("--sticky-top"))).not.toBe(
          "",
        );
      },
      { viewport },
    );
  }
});

/** The names of headings and controls whose middle is under the notice. */
function coveredByNotice(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("h1, main a, main button, main input, main select, aside a, header a")]
      .filter((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("[data-over-dialogs]");
      })
      .map(({ textContent, id }) => textContent || id),
  );
}

test("a page whose scripts did not load has a Reload button above the bottom bar, and reloads once the network is back", () =>
  walk(
    "dead page",
    async ({ page, context }) => {
      await page.route("**/*.js", (route) => route.abort());
      await page.goto("/reseller/keys");
      const notice = page.getByRole("status").filter({ hasText: "Part of this page could not be loaded." });
      await notice.waitFor();
      const { y = 0, height = 0 } = (await notice.boundingBox()) ?? {};
      const bar = await page.getByRole("navigation", { name: "Main" }).boundingBox();
      expect(y + height).toBeLessThanOrEqual(bar?.y ?? 0);
      await page.goto("/reseller/generate");
      await notice.waitFor();
      const order = await page.getByRole("button", { name: "Generate Keys" }).boundingBox();
      expect((order?.y ?? 0) + (order?.height ?? 0)).toBeLessThanOrEqual((await notice.boundingBox())?.y ?? 0);
      await page.goto("/reseller/keys");
      await Promise.all([page.waitForEvent("load"), notice.getByRole("button", { name: "Reload" }).click()]);
      await notice.waitFor();
      await context.setOffline(true);
      await page.unroute("**/*.js");
      await context.setOffline(false);
      await page.getByText("Showing 2 of 2 keys").waitFor();
      expect(await notice.isVisible()).toBeFalse();
    },
    { viewport: sizes.phone },
  ));

test("on a phone a page that was opened without a network works once it is back, with what its scripts import", () =>
  walk(
    "another page",
    async ({ page, context }) => {
      const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
      // The browser has what the first page loaded, and had fetched the next page ahead.
      const isNew = ({ href }: URL) => href.endsWith(".js") && !loaded.includes(href);
      await page.route(isNew, (route) => route.abort());
      await page.goto("/reseller/generate");
      await page.getByText("Part of this page could not be loaded.").waitFor();
      await page.waitForSelector("header [data-ready]");
      await context.setOffline(true);
      await page.unroute(isNew);
      await context.setOffline(false);
      await awake(page);
      await page.getByLabel("Game").selectOption("FREE FIRE");
      await page.getByText("Total Cost").waitFor();
    },
    { viewport: sizes.phone },
  ));

test("a page in which something was typed is not reloaded: a script is requested again once the network is back", () =>
  walk("one script", async ({ page, context }) => {
    await page.route("**/own-keys-*.js", (route) => route.abort());
    await page.goto("/reseller/keys");
    const notice = page.getByText("Part of this page could not be loaded.");
    await notice.waitFor();
    await page.waitForSelector("[data-ready]");
    await page.getByRole("searchbox").fill("a");
    const document = await page.evaluateHandle(() => globalThis.document);
    await context.setOffline(true);
    await page.unroute("**/own-keys-*.js");
    await context.setOffline(false);
    await page.getByText("Showing 2 of 2 keys").waitFor();
    await notice.waitFor({ state: "hidden" });
    expect(await document.evaluate((before) => before === globalThis.document)).toBeTrue();
  }));

test("a part of a page that did not load says so, and is loaded once the network is back", () =>
  walk("part", async ({ page, context }) => {
    const response = await page.request.get("/reseller");
    const html = await response.text();
    // Everything that the page itself does not name.
    const isPart = ({ pathname }: URL) => pathname.endsWith(".js") && !html.includes(pathname);
    await page.route(isPart, (route) => route.abort());
    await page.goto("/reseller");
    await page.getByRole("alert").filter({ hasText: lost }).getByRole("button", { name: "Retry" }).waitFor();
    await context.setOffline(true);
    await page.unroute(isPart);
    await context.setOffline(false);
    await page.getByRole("heading", { name: "The last 30 days" }).waitFor();
  }));

test("a slow script shows a loading state", () =>
  walk("slow script", async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/**", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "View" }).first().click();
    const coming = page.locator("main").getByText("Loading...");
    await coming.waitFor();
    release();
    await page.getByRole("dialog", { name: "Key Details" }).waitFor();
    expect(await coming.count()).toBe(0);
  }));
