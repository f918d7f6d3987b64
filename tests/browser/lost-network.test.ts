import { beforeAll, expect, test } from "bun:test";
import { registerReseller, signInAdmin } from "../client.ts";
import { focused } from "./keyboard.ts";
import { openStage } from "./stage.ts";
import { awake, sizes, type Visit, type VisitOptions } from "./visit.ts";

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

const lost = "This could not be loaded. Check the network and try again.";

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
    await page.getByText("You are offline.").waitFor();
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
      await page.getByText("You are offline.").waitFor();
      await context.setOffline(false);
      await menu.click();
      await page.getByRole("dialog", { name: "Menu" }).waitFor();
    },
    { viewport: sizes.phone },
  ));

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
