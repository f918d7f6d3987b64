import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, downloadedBy, formOf, textOf, withClipboard } from "./clipboard.ts";
import { focused, focusInside, tabTo } from "./keyboard.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, overflowPixels, resize, settled, sizes, type Visit, type VisitOptions } from "./visit.ts";

const stage = openStage();
let admin: Client;
let visits = 0;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

interface Walk extends Visit {
  reseller: ResellerClient;
}

/** Visits as a new reseller. `reseller` is a client with the same session, for preparing and checking data. */
async function walk(name: string, credits: number, go: (walk: Walk) => Promise<void>, options: VisitOptions = {}) {
  visits += 1;
  const reseller = await registerReseller(stage.newClient, admin, { username: `seller-${visits}`, credits });
  const [cookieName = "", value = ""] = reseller.cookie().split("=");
  await stage.visit(
    `own keys ${name}`,
    async (visited) => {
      await visited.context.addCookies([{ name: cookieName, value, url: stage.latchkey.url }]);
      await go({ ...visited, reseller });
    },
    { ...withClipboard, ...options },
  );
}

async function open(page: Page, path: string) {
  await page.goto(path);
  await awake(page);
}

async function buy(reseller: Client, order: object = {}) {
  const whole = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 1, ...order };
  return (await reseller.post("/api/reseller/keys/generate", whole)).body.keys as { id: number; keyString: string }[];
}

const connect = (keyString: string, deviceId: string) =>
  stage.newClient().post("/api/verify", { key: keyString, game: "FREE FIRE", deviceId });
const credits = async (reseller: Client) => (await reseller.get("/api/reseller/profile")).body.credits;

test("with the keyboard alone, keys are generated, shown, copied, and downloaded as TXT and CSV", () =>
  walk("generate", 20, async ({ page, reseller }) => {
    await open(page, "/reseller/generate");
    await tabTo(page, page.getByLabel("Game"));
    await page.keyboard.type("FREE");
    await tabTo(page, page.getByLabel("Number of Keys"));
    await page.keyboard.type("3");
    await tabTo(page, page.getByLabel("Custom Key"));
    await page.keyboard.type("-my-own-key");
    await page.keyboard.press("Enter");
    await toast(page, "Generated 3 key(s) successfully");
    const batch = page.getByRole("region", { name: "Generated Keys" });
    await focused(batch);
    const keys = await batch.getByRole("listitem").locator(".key-text").allInnerTexts();
    expect(keys).toEqual(["-my-own-key", ...Array(2).fill(expect.stringMatching(/^FIRE(-[A-Z0-9]{5}){3}$/))]);
    await page.getByRole("banner").getByText("11", { exact: true }).waitFor();

    await batch.getByRole("button", { name: "Copy Key" }).nth(1).press("Enter");
    await toast(page, "Key copied to clipboard");
    expect(await clipboard(page)).toBe(keys[1] as string);
    await batch.getByRole("button", { name: "Copy All" }).press("Enter");
    await toast(page, "3 keys copied to clipboard");
    expect(await clipboard(page)).toBe(keys.map((key) => `${key}\n`).join(""));

    const text = await downloadedBy(await formOf(batch, "Download TXT"));
    expect(text.suggestedFilename()).toMatch(/^latchkey-3-keys-\d{4}-\d\d-\d\d\.txt$/);
    expect(await textOf(text)).toBe(keys.map((key) => `${key}\n`).join(""));
    const table = await downloadedBy(await formOf(batch, "Download CSV"));
    const lines = (await textOf(table)).replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(lines[0]).toBe("License Key,Game,Device Limit,Created,Expires");
    // A spreadsheet would interpret a leading hyphen as a formula.
    expect(lines[1]).toStartWith(`"'-my-own-key",FREE FIRE,1,`);
    expect(lines).toHaveLength(4);
    expect(await credits(reseller)).toBe(11);
  }));

test("missing credits are shown while typing, and the order cannot be sent", () =>
  walk("short", 10, async ({ page }) => {
    await open(page, "/reseller/generate");
    await page.getByLabel("Game").selectOption("PUBG MOBILE");
    await page.getByLabel("Number of Keys").fill("4");
    await page.getByText("You need 2.0 more credits to generate 4 key(s).").waitFor();
    await page.getByText("Insufficient Credits!").waitFor();
    expect(await page.getByRole("button", { name: "INSUFFICIENT CREDITS" }).isDisabled()).toBeTrue();
    expect(await accessProblems(page)).toEqual([]);
    await page.getByLabel("Duration & Cost").selectOption("20 days (2 credits)");
    expect(await page.getByRole("button", { name: "Generate 4 keys for 8 credits" }).isEnabled()).toBeTrue();
  }));

test("a purchase whose response was lost is not charged twice", () =>
  walk(
    "lost response",
    10,
    async ({ page, reseller }) => {
      await open(page, "/reseller/generate");
      let responses = 0;
      await page.route("**/api/reseller/keys/generate", async (route) => {
        responses += 1;
        const response = await route.fetch();
        return responses === 1 ? route.abort() : route.fulfill({ response });
      });
      await page.getByLabel("Game").selectOption("FREE FIRE");
      await page.getByRole("button", { name: "Generate 1 key for 3 credits" }).click();
      await toast(page, "Failed to generate key");
      await page.getByRole("button", { name: "Generate 1 key for 3 credits" }).click();
      await toast(page, "Generated 1 key(s) successfully");
      expect([await credits(reseller), (await reseller.get("/api/reseller/keys")).body.length]).toEqual([7, 1]);
    },
    { expected: /net::ERR_FAILED/ },
  ));

test("with the keyboard alone, a key is found, opened, freed of a device and revoked", () =>
  walk("manage", 30, async ({ page, reseller }) => {
    const [first] = await buy(reseller, { keyString: "SUMMER-2025-FIRST-EDITION" });
    await buy(reseller, { count: 3 });
    await connect("SUMMER-2025-FIRST-EDITION", "phone-one");
    await connect("SUMMER-2025-FIRST-EDITION", "phone-two");
    await open(page, "/reseller/keys");
    await page.getByText("Showing 4 of 4 keys").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("summer");
    await page.waitForURL("**/reseller/keys?search=summer");
    await page.getByText("Showing 1 of 1 key").waitFor();
    await page.reload();
    await awake(page);
    await page.getByText("Showing 1 of 1 key").waitFor();
    await page.getByText("SUMMER-2025-FIRST-ED…", { exact: true }).waitFor();

    const view = page.getByRole("button", { name: "View" });
    await view.focus();
    await page.keyboard.press("Enter");
    const details = page.getByRole("dialog", { name: "Key Details" });
    const remove = details.getByRole("button", { name: "Remove Device phone-one" });
    await page.waitForURL(`**/reseller/keys?search=summer&key=${first?.id}`);
    await tabTo(page, remove);
    await page.keyboard.press("Enter");
    await toast(page, "Device removed successfully");
    await remove.waitFor({ state: "detached" });
    await focusInside(details);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await focused(view);

    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Revoke License Key" });
    await focused(question.getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await toast(page, "The key has been successfully revoked");
    await page.getByRole("cell", { name: "REVOKED" }).waitFor();
    await question.waitFor({ state: "detached" });
    // The button is gone, but the focus is still in its row.
    await focusInside(page.getByRole("row", { name: "SUMMER-2025-FIRST-EDITION" }));
    expect((await reseller.get(`/api/reseller/keys/${first?.id}`)).body.status).toBe("REVOKED");
  }));

test("when a revoked key leaves the list, the focus moves to the next key", () =>
  walk("kept focus", 9, async ({ page, reseller }) => {
    await buy(reseller, { count: 2 });
    await open(page, "/reseller/keys?status=ACTIVE");
    await page.getByText("Showing 2 of 2 keys").waitFor();
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await page.getByRole("button", { name: "Revoke Key" }).click();
    await page.getByText("Showing 1 of 1 key").waitFor();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.closest("td"));
  }));

test("a double click on Remove Device removes only one device", () =>
  walk("double click", 3, async ({ page, reseller }) => {
    const [key] = await buy(reseller);
    for (const device of ["phone-one", "phone-two"]) await connect(key?.keyString ?? "", device);
    await open(page, `/reseller/keys?key=${key?.id}`);
    const box = await page.getByRole("button", { name: "Remove Device phone-one" }).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 10];
    for (const waitMs of [0, 80, 170, 400]) {
      await page.waitForTimeout(waitMs);
      await page.mouse.click(x, y);
    }
    await page.getByRole("button", { name: "Removed phone-one" }).waitFor();
    await page.waitForLoadState("networkidle");
    const { devices } = (await reseller.get(`/api/reseller/keys/${key?.id}`)).body;
    expect(devices.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(["phone-two"]);
    expect(await page.getByText("Failed to remove device").count()).toBe(0);
  }));

/** Asserts that there are no axe findings and no overflow at each window size. */
async function isWholeAtEverySize(page: Page) {
  for (const [size, { width, height }] of Object.entries(sizes)) {
    await resize(page, width, height);
    expect([size, await accessProblems(page), await overflowPixels(page)]).toEqual([size, [], 0]);
  }
}

test("a key's dialogs and a new batch have no axe findings at any size", () =>
  walk("axe", 100, async ({ page, reseller }) => {
    const [key] = await buy(reseller);
    await connect(key?.keyString ?? "", "phone-one");
    await open(page, `/reseller/keys?key=${key?.id}`);
    const details = page.getByRole("dialog", { name: "Key Details" });
    await details.getByRole("button", { name: "Remove Device phone-one" }).waitFor();
    await isWholeAtEverySize(page);
    await focusInside(details);
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke Key" }).waitFor();
    await isWholeAtEverySize(page);
    await open(page, "/reseller/generate");
    await page.getByLabel("Game").selectOption("FREE FIRE");
    await page.getByLabel("Number of Keys").fill("30");
    await page.getByRole("button", { name: "Generate 30 keys for 90 credits" }).click();
    await page.getByRole("button", { name: "Copy All" }).waitFor();
    await toast(page, "Generated 30 key(s) successfully");
    await isWholeAtEverySize(page);
    // The page scrolls, not the list.
    const list = page.getByRole("list").filter({ has: page.locator("li .key-text") });
    expect(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  }));

test("an empty list, no match, another account's key and a failed call have different messages", () =>
  walk(
    "words",
    0,
    async ({ page }) => {
      await open(page, "/reseller");
      await page.getByText("No Keys Generated Yet").waitFor();
      await open(page, "/reseller/keys");
      await page.getByText("No keys found.", { exact: true }).waitFor();
      expect(await page.getByText("Try changing your search filters.").count()).toBe(0);
      await page.getByLabel("Game").selectOption("FREE FIRE");
      await page.getByText("Try changing your search filters.").waitFor();
      await open(page, "/reseller/keys?key=4711");
      await page.getByText("Key details not found").waitFor();
      await page.route("**/api/reseller/**", (route) => route.fulfill({ status: 500, body: "Oops" }));
      await open(page, "/reseller");
      await page.getByText("Some figures could not be loaded.").waitFor();
      await page.getByText("Your keys could not be loaded.").waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await page.unroute("**/api/reseller/**");
      // The same call lists and counts the newest keys.
      await page.getByRole("button", { name: "Retry" }).first().click();
      await page.getByText("No Keys Generated Yet").waitFor();
    },
    { expected: /status of (404|500)/ },
  ));

test("a late script hydrates the part of the page that the server rendered", () =>
  walk("late script", 5, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/assets\/dashboard-/, async (route) => {
      await held;
      await route.continue();
    });
    const profile = page.waitForResponse("**/api/reseller/profile");
    await page.goto("/reseller", { waitUntil: "commit" });
    await profile;
    release();
    await settled(page);
    await page.getByText("No Keys Generated Yet").waitFor();
  }));

test("on a phone Back, the browser's and the page's own, returns to the same 180 rows at the same position", () =>
  walk(
    "back",
    5_000,
    async ({ page, reseller }) => {
      for (const count of [100, 100]) await buy(reseller, { count });
      const calls: string[] = [];
      page.on("request", (request) => {
        if (new URL(request.url()).pathname === "/api/reseller/keys") calls.push(request.url());
      });
      const rows = page.locator("tbody tr");
      await open(page, "/reseller/keys?sort=key&descending=false");
      for (const at of [19, 49, 79, 109, 139]) await rows.nth(at).evaluate((row) => row.scrollIntoView());
      await rows.nth(179).waitFor();
      const left = rows.nth(100);
      await left.evaluate((row) => row.scrollIntoView({ block: "center" }));
      const [key, y] = [await left.textContent(), await page.evaluate(() => scrollY)];
      for (const way of ["the browser's", "the page's own"]) {
        await left.getByRole("link").click();
        await page.getByRole("heading", { name: "Connected Devices" }).waitFor();
        calls.length = 0;
        if (way === "the browser's") await page.goBack();
        else await page.getByRole("link", { name: "Back" }).click();
        await page.waitForFunction((at) => scrollY === at, y);
        // The first call is the one that the head of the page makes.
        expect([way, await rows.count(), await left.textContent(), calls.length]).toEqual([way, 180, key, 2]);
      }
    },
    { viewport: sizes.phone },
  ));
