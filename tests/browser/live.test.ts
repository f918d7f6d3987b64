import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Client, registerReseller, signInAdmin } from "../client.ts";
import { launchChromium } from "./chromium.ts";
import { toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, visit } from "./visit.ts";

const stage = openStage();
let sellersBrowser: Browser;
let operator: Client;
let sellerId: number;

beforeAll(async () => {
  sellersBrowser = await launchChromium();
  operator = await signInAdmin(stage.newClient);
  ({ id: sellerId } = await registerReseller(stage.newClient, operator, { username: "night.owl", credits: 5 }));
});
afterAll(() => sellersBrowser?.close());

/** Two browsers: a reseller's page with a paused clock, and an admin's list of resellers. */
async function side(name: string, meet: (pages: { seller: Page; admin: Page }) => Promise<void>) {
  await visit(
    sellersBrowser,
    stage.latchkey.url,
    `live ${name} reseller`,
    async ({ page: seller }) => {
      await seller.clock.install();
      const greeted = greeting(seller);
      await logIn(seller);
      expect(await greeted).toContain("auth_success");
      await seller.clock.pauseAt(Date.now() + 60_000);
      await stage.visitAsAdmin(`live ${name} admin`, "/admin/resellers", (admin) => meet({ seller, admin }));
    },
    { expected: /status of 401/ },
  );
}

/** The first message on the page's channel. */
function greeting(page: Page): Promise<string> {
  return new Promise((resolve) => {
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => resolve(String(payload))));
  });
}

/** Signs in through the form, whose toast loads the script for notices; a paused clock would delay that. */
async function logIn(page: Page) {
  await page.goto("/");
  await awake(page);
  await page.getByRole("tab", { name: "Reseller" }).click();
  await page.getByLabel("Username").fill("night.owl");
  await page.getByLabel("Password", { exact: true }).fill("test-reseller-password");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/reseller");
  await awake(page);
  await toast(page, "Logged in as reseller successfully");
}

async function suspend(admin: Page) {
  await admin.getByRole("button", { name: "Suspend" }).click();
  await admin.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click();
  await toast(admin, "Reseller status updated successfully");
}

async function activate(admin: Page) {
  await admin.getByRole("button", { name: "Activate" }).click();
  await admin.getByRole("button", { name: "Suspend" }).waitFor();
}

/** The paths that the page has requested since then. */
function requestsOf(page: Page): string[] {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  return requested;
}

test("a suspended reseller sees the message at once and is logged out after 2 s", () =>
  side("suspension", async ({ seller, admin }) => {
    await suspend(admin);
    await toast(seller, "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.");
    const requested = requestsOf(seller);
    await seller.clock.runFor(1_999);
    expect(requested).not.toContain("/api/auth/logout");
    expect(new URL(seller.url()).pathname).toBe("/reseller");
    await seller.clock.runFor(1);
    await seller.waitForURL(`${stage.latchkey.url}/`);
    expect(requested).toContain("/api/auth/logout");
    // Persistent (rules.md: Reconnecting): it is still visible on the login page.
    await toast(seller, "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.");
    await seller.clock.runFor(60_000);
    await toast(seller, "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.");
    await activate(admin);
  }));

test("a reactivated reseller sees the message at once, and the page reloads after 1.5 s", () =>
  side("reactivation", async ({ seller, admin }) => {
    await suspend(admin);
    await activate(admin);
    await toast(seller, "Account Reactivated");
    await toast(seller, "Your account has been reactivated by the admin.");
    const requested = requestsOf(seller);
    await seller.clock.runFor(1_499);
    expect(requested).not.toContain("/reseller");
    await seller.clock.runFor(1);
    // The suspension ended the session, so the reloaded page is the login.
    await seller.waitForURL(`${stage.latchkey.url}/#to=%2Freseller`);
    expect(requested).toContain("/reseller");
  }));

const grant = (amount: number) => operator.post("/api/admin/resellers/credits", { resellerId: sellerId, amount });
const balance = (page: Page, credits: number) =>
  page.getByRole("banner").getByText(String(credits), { exact: true }).waitFor();

test("added credits appear in the reseller's header at once, or without the channel when the page becomes visible again", () =>
  visit(sellersBrowser, stage.latchkey.url, "live credits", async ({ page }) => {
    const greeted = greeting(page);
    await signIn(page, "reseller", { username: "night.owl", password: "test-reseller-password" });
    await page.goto("/reseller");
    await awake(page);
    expect(await greeted).toContain("auth_success");
    await balance(page, 5);
    await grant(50);
    await balance(page, 55);
    await page.routeWebSocket("**/ws", () => {});
    await page.reload();
    await awake(page);
    await balance(page, 55);
    await grant(5);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await balance(page, 60);
  }));

/** Intercepts the live channel, because a browser does not report how a channel was closed. */
function listenBetween() {
  const closed: number[] = [];
  const between = Bun.serve({
    port: 0,
    fetch(request, server) {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/ws" && server.upgrade(request)) return;
      return fetch(new Request(stage.latchkey.url + pathname + search, request), {
        redirect: "manual",
        decompress: false,
      });
    },
    websocket: {
      message: (socket) => void socket.send('{"type":"auth_success"}'),
      close: (_, code) => void closed.push(code),
    },
  });
  return { closed, url: `http://localhost:${between.port}`, stop: () => between.stop(true) };
}

test("logging out and leaving the page close the channel with 1000, and a failed logout keeps it open", async () => {
  const { closed, url, stop } = listenBetween();
  const closes = async (count: number) => {
    while (closed.length < count) await Bun.sleep(20);
  };
  await visit(
    sellersBrowser,
    url,
    "live close",
    async ({ page }) => {
      const data = { username: "night.owl", password: "test-reseller-password" };
      await page.request.post("/api/auth/reseller/login", { data });
      await page.goto("/reseller");
      await awake(page);
      await page.goto("/reseller/keys");
      await awake(page);
      await closes(1);
      await page.route("**/api/auth/logout", (route) => route.fulfill({ status: 503 }));
      await page.getByRole("button", { name: "Logout" }).click();
      await page.getByText("Logout failed", { exact: true }).first().waitFor();
      expect(closed).toEqual([1000]);
      await page.unrouteAll();
      await page.getByRole("button", { name: "Logout" }).click();
      await page.waitForURL(`${url}/`);
      await closes(2);
      expect(closed).toEqual([1000, 1000]);
    },
    { expected: /status of 503/ },
  );
  await stop();
});
