import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { type Client, createClient } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { focused } from "./keyboard.ts";
import { toast } from "./on-screen.ts";
import { demoReseller, openStage, signIn } from "./stage.ts";
import { overflowPixels, settled, sizes } from "./visit.ts";

const stage = openStage({}, ["--demo"]);

/** Includes invisible ones. */
const boxes = (page: Page) => page.locator("tbody input[type=checkbox]");
const bar = (page: Page) => page.getByRole("region", { name: "Selected keys" });
const says = (page: Page, text: string) => bar(page).getByText(text, { exact: true }).waitFor();

/** The same reseller on another machine. */
async function elsewhere(): Promise<Client> {
  const reseller = createClient(stage.latchkey.url);
  await reseller.post("/api/auth/reseller/login", demoReseller(stage.latchkey));
  return reseller;
}

test("on a desktop, keys are selected by pointer and keyboard, counted, copied, noted and revoked, exactly as many as shown", () =>
  stage.visit("selected keys", async ({ page }) => {
    await signIn(page, "reseller", demoReseller(stage.latchkey));
    await page.goto("/reseller/keys");
    await settled(page);
    await page.locator("tbody tr").nth(2).hover();
    await boxes(page).first().waitFor({ state: "attached" });
    const opacity = (row: number) =>
      boxes(page)
        .nth(row)
        .locator("..")
        .evaluate((box) => getComputedStyle(box).opacity);
    expect([await opacity(1), await opacity(2)]).toEqual(["0", "1"]);

    await boxes(page).nth(1).click();
    await boxes(page)
      .nth(4)
      .click({ modifiers: ["Shift"] });
    await says(page, "4 selected");
    await page.getByRole("status").filter({ hasText: "4 keys selected" }).waitFor({ state: "attached" });
    expect(await accessProblems(page)).toEqual([]);

    // The selection survives sorting and paging.
    await page.getByRole("button", { name: "Expiry" }).click();
    await page.getByRole("button", { name: "Created" }).click();
    await settled(page);
    await says(page, "4 selected");
    await page.getByRole("button", { name: "Load more" }).click();
    // Scrolling to the button loads a page too.
    await page.getByText(/^Showing (60|90) of/).waitFor();
    await says(page, "4 selected");

    await boxes(page).nth(4).focus();
    await page.keyboard.press("Space");
    await says(page, "3 selected");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await says(page, "5 selected");
    await page.keyboard.press("Escape");
    await bar(page).waitFor({ state: "detached" });

    // Changing filters clears the selection.
    await boxes(page).nth(0).click();
    await says(page, "1 selected");
    await page.getByLabel("Status").selectOption("ACTIVE");
    await bar(page).waitFor({ state: "detached" });
    await settled(page);
    const footer = page.getByText(/^Showing \d+ of \d+ keys$/);
    const shown = Number((await footer.textContent())?.match(/of (\d+)/)?.[1]);

    await boxes(page).nth(0).click();
    await bar(page).getByRole("button", { name: "Select all that match" }).click();
    await says(page, `All ${shown} selected`);
    // Keys bought meanwhile in another session are not selected.
    const reseller = await elsewhere();
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
    const [later] = (await reseller.post("/api/reseller/keys/generate", order)).body.keys;

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      bar(page).getByRole("button", { name: "CSV" }).click(),
    ]);
    const file = readFileSync(await download.path(), "utf8");
    expect(file.trim().split("\r\n")).toHaveLength(shown + 1);
    expect(file).not.toContain(later.keyString);

    await bar(page).getByRole("button", { name: "Note" }).click();
    await page
      .getByRole("dialog")
      .getByText(new RegExp(`^On ${shown} keys`))
      .waitFor();
    await page.getByRole("textbox", { name: "Note" }).fill("Spring sale");
    await page.getByRole("button", { name: "Save Note" }).click();
    // The bar behind the dialog is hidden from role selectors.
    await toast(page, "Note saved");
    await bar(page).waitFor({ state: "detached" });
    expect((await reseller.get("/api/reseller/keys?search=spring%20sale")).body).toHaveLength(shown);

    await page.getByRole("searchbox").fill("spring sale");
    await page.getByText(new RegExp(`of ${shown} keys$`)).waitFor();
    await boxes(page).nth(0).click();
    await bar(page).getByRole("button", { name: "Select all that match" }).click();
    await says(page, `All ${shown} selected`);
    await bar(page).getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText(/will be revoked: \d+ unused, \d+ connected\./).waitFor();
    expect(await dialog.getByRole("button", { name: `Revoke ${shown} keys` }).isDisabled()).toBe(true);
    await dialog.getByRole("textbox").fill(String(shown));
    await dialog.getByRole("button", { name: `Revoke ${shown} keys` }).click();
    await toast(page, `Revoked ${shown} keys successfully`);
    await bar(page).waitFor({ state: "detached" });
    expect((await reseller.get("/api/reseller/keys?status=ACTIVE")).body).toMatchObject([{ id: later.id }]);
  }));

test("Tab leads from a selected row into its bar, back and on, and Ctrl K begins with what the bar can do", () =>
  stage.visit("selection by keyboard", async ({ page }) => {
    await signIn(page, "reseller", demoReseller(stage.latchkey));
    await page.goto("/reseller/keys?status=ACTIVE");
    await settled(page);
    await page.keyboard.press("Shift");
    const box = boxes(page).first();
    await box.focus();
    await page.keyboard.press("Space");
    await says(page, "1 selected");
    const buttons = bar(page).getByRole("button");
    await page.keyboard.press("Tab");
    await focused(buttons.first());
    await page.keyboard.press("Shift+Tab");
    await focused(box);
    await page.keyboard.press("Tab");
    await buttons.last().focus();
    await page.keyboard.press("Tab");
    await focused(page.locator("tbody tr").first().getByRole("link").first());
    expect(
      await bar(page).evaluate((section) => {
        const table = document.querySelector("table") as Element;
        const isBefore = section.compareDocumentPosition(table) === Node.DOCUMENT_POSITION_FOLLOWING;
        return [isBefore, section.getBoundingClientRect().top > table.getBoundingClientRect().top];
      }),
    ).toEqual([true, true]);

    await page.keyboard.press("Control+k");
    const group = page.getByRole("group", { name: "Selected keys" });
    await group.waitFor();
    const named = await group.getByRole("option").allTextContents();
    expect(named.map((name) => name.split(" ")[0])).toEqual(["Copy", "CSV", "Note", "Extend", "Replace", "Revoke"]);
    expect(await page.getByRole("option").first().textContent()).toBe(named[0] as string);
    await page.keyboard.type("refund");
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog", { name: "Revoke Selected Keys" }).getByText("1 key").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard Shortcuts" });
    for (const what of ["Select the row", "Select several rows", "From a selected row to its actions"]) {
      await list.getByText(what).waitFor();
    }
    await list.getByText("Close a dialog, or clear a search or selection").waitFor();
    expect(await accessProblems(page)).toEqual([]);
  }));

test("rows have no checkbox before its script has loaded", () =>
  stage.visit("boxes before the bar", async ({ page }) => {
    const bar = Promise.withResolvers<void>();
    const scripts = { box: Promise.withResolvers<string>(), bar: Promise.withResolvers<string>() };
    await page.route(/\/assets\/shared-/, async (route) => {
      const response = await route.fetch();
      const script = await response.text();
      if (script.includes('"data-box"')) scripts.box.resolve(route.request().url());
      if (script.includes('"Selected keys"')) {
        scripts.bar.resolve(route.request().url());
        await bar.promise;
      }
      await route.fulfill({ response });
    });
    await signIn(page, "reseller", demoReseller(stage.latchkey));
    await page.goto("/reseller/keys");
    await settled(page);
    await page.locator("tbody tr").nth(2).hover();
    await scripts.bar.promise;
    await page.evaluate(
      async (url) => {
        await import(url);
        // React renders the loaded part within this time.
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      },
      await scripts.box.promise,
    );
    expect(await boxes(page).count()).toBe(0);
    bar.resolve();
    await boxes(page).first().waitFor({ state: "attached" });
  }));

test("on a phone a long press or Select keys, next to Filters, starts a selection, taps select, and the bar is above the bottom bar", () =>
  stage.visit(
    "selected keys on a phone",
    async ({ page, context }) => {
      await signIn(page, "reseller", demoReseller(stage.latchkey));
      await page.goto("/reseller/keys");
      await settled(page);
      const cards = page.locator("tbody tr");
      await page.getByRole("heading", { level: 1 }).tap();
      await boxes(page).first().waitFor({ state: "attached" });
      expect(await boxes(page).first().isVisible()).toBe(false);

      const touch = await context.newCDPSession(page);
      const { x = 0, y = 0 } = (await cards.nth(0).boundingBox()) ?? {};
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + 60, y: y + 55 }] });
      await says(page, "1 selected");
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      // Its link selects too.
      await cards.nth(1).locator(".key-text").tap();
      await says(page, "2 selected");
      expect(await overflowPixels(page)).toBe(0);
      expect(await accessProblems(page)).toEqual([]);
      const above = await bar(page).boundingBox();
      const below = await page.getByRole("navigation", { name: "Main" }).filter({ visible: true }).boundingBox();
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);

      await cards.nth(0).tap();
      await cards.nth(1).tap();
      await bar(page).getByRole("button", { name: "Clear selection" }).tap();
      await bar(page).waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Select keys" }).tap();
      await says(page, "Tap to select");
      await cards.nth(2).tap();
      await says(page, "1 selected");
      expect(new URL(page.url()).search).toBe("");
    },
    { viewport: sizes.phone, isMobile: true, hasTouch: true },
  ));
