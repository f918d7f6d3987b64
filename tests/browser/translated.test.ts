import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { withClipboard } from "./clipboard.ts";
import { adminLogin } from "./latchkey.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { type TranslationStart, translatePages } from "./translator.ts";
import { awake, settled, type Visit } from "./visit.ts";

/** Each flow on pages that the browser translates, which takes every text node from React (islands/runtime/jsx.ts). */
const stage = openStage();
let admin: Client;
let visits = 0;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

/** Translated before it is hydrated, an island is rendered anew, and React reports that (418). */
const expected = { "before hydration": /status of 401|error #418/, "after hydration": /status of 401/ };

function translated(start: TranslationStart, name: string, walk: (visit: Visit) => Promise<void>): Promise<void> {
  return stage.visit(
    `${name} translated ${start}`,
    async (visited) => {
      await translatePages(visited.context, start);
      await walk(visited);
    },
    { ...withClipboard, expected: expected[start] },
  );
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
  // A page without it would prove nothing.
  await page.locator("h1 font").first().waitFor();
}

function newReseller(): Promise<ResellerClient> {
  visits += 1;
  return registerReseller(stage.newClient, admin, { username: `reader-${visits}`, credits: 12 });
}

async function signInReseller(page: Page, { username }: ResellerClient): Promise<void> {
  await signIn(page, "reseller", { username, password: "test-reseller-password" });
}

for (const start of ["before hydration", "after hydration"] as const) {
  test(`translated ${start}, an invited reseller registers and signs in, also after a wrong password`, () =>
    translated(start, "entrance", async ({ page }) => {
      page.on("dialog", (dialog) => dialog.accept());
      const { body } = await admin.post("/api/admin/tokens/generate", { credits: 3 });
      await open(page, `/register#token=${body.token.token}`);
      const username = `guest-${start.slice(0, 5)}`.trim();
      await page.getByRole("button", { name: "Register Account" }).click();
      await page.getByText("Username must be at least 3 characters").waitFor();
      await page.getByLabel("Username").fill(username);
      await page.getByLabel("Password", { exact: true }).fill("a-long-password");
      await page.getByRole("button", { name: "Register Account" }).click();
      await page.waitForURL(`${stage.latchkey.url}/`);
      await settled(page);
      await page.getByRole("tab", { name: "Admin" }).click();
      await page.getByRole("button", { name: "Login as Admin" }).waitFor();
      await page.getByRole("tab", { name: "Reseller" }).click();
      await page.getByLabel("Username").fill(username);
      for (const password of ["wrong-password", "a-long-password"]) {
        await page.getByLabel("Password", { exact: true }).fill(password);
        await page.getByRole("button", { name: "Login as Reseller" }).click();
        if (password.startsWith("wrong")) await toast(page, "Login Failed");
      }
      await page.waitForURL("**/reseller");
      await toast(page, "Logged in as reseller successfully");
    }));

  test(`translated ${start}, a reseller buys keys and follows their costs`, () =>
    translated(start, "purchase", async ({ page }) => {
      await signInReseller(page, await newReseller());
      await open(page, "/reseller/generate");
      const count = page.getByLabel("Number of Keys");
      await page.getByLabel("Game").selectOption("FREE FIRE");
      await count.fill("5");
      await page.getByText("Insufficient Credits!").waitFor();
      await page.getByRole("button", { name: "INSUFFICIENT CREDITS" }).waitFor();
      await count.fill("3");
      await page.getByText("Insufficient Credits!").waitFor({ state: "detached" });
      await page.getByRole("definition").getByText("9 credits", { exact: true }).waitFor();
      await page
        .locator("form")
        .getByRole("button", { name: /^Generate/ })
        .last()
        .click();
      await toast(page, "Generated 3 key(s) successfully");
      await page.getByRole("banner").getByText("3", { exact: true }).waitFor();
      const batch = page.getByRole("region", { name: "Generated Keys" });
      await batch.getByRole("button", { name: "Copy All" }).click();
      await batch.getByRole("button", { name: "Copied" }).waitFor();
      await toast(page, "3 keys copied to clipboard");
      await batch.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Copy numbered" }).click();
      await page.getByRole("button", { name: "Generate More" }).click();
      await count.waitFor();
    }));

  test(`translated ${start}, a reseller searches keys, opens one, frees a device and revokes it`, () =>
    translated(start, "own keys", async ({ page }) => {
      const reseller = await newReseller();
      const order = { game: "FREE FIRE", deviceLimit: 2, days: 30 };
      await reseller.post("/api/reseller/keys/generate", { ...order, count: 1, keyString: `WANTED-${visits}-KEY` });
      await reseller.post("/api/reseller/keys/generate", { ...order, count: 2 });
      const connection = { key: `WANTED-${visits}-KEY`, game: "FREE FIRE", deviceId: "phone-one" };
      await stage.newClient().post("/api/verify", connection);
      await signInReseller(page, reseller);
      await open(page, "/reseller/keys");
      await page.getByText("Showing 3 of 3 keys").waitFor();
      await page.getByRole("searchbox").fill("no such key");
      await page.getByText("No keys found.").waitFor();
      await page.getByRole("searchbox").fill("wanted");
      await page.getByText("Showing 1 of 1 key").waitFor();
      await page.getByRole("button", { name: "View" }).click();
      const details = page.getByRole("dialog", { name: "Key Details" });
      await details.getByRole("button", { name: "Remove Device phone-one" }).click();
      await toast(page, "Device removed successfully");
      await details.getByText("0 / 2", { exact: true }).waitFor();
      await details.getByText("Removed", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await details.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Revoke" }).first().click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Revoke Key" }).click();
      await toast(page, "The key has been successfully revoked");
      await rowOf(page, "WANTED-").getByText("REVOKED", { exact: true }).waitFor();
    }));

  test(`translated ${start}, an admin adds credits, suspends and activates, and finds it in the command bar`, () =>
    translated(start, "resellers", async ({ page }) => {
      const { username } = await newReseller();
      await signIn(page, "admin", adminLogin);
      await open(page, "/admin/resellers");
      const row = rowOf(page, username);
      await row.getByRole("button", { name: "Add Credit" }).click();
      const dialog = page.getByRole("dialog", { name: "Add Credit" });
      await dialog.getByLabel("Amount").fill("0");
      await page.keyboard.press("Enter");
      await dialog.getByRole("alert").first().waitFor();
      await dialog.getByLabel("Amount").fill("5");
      await page.keyboard.press("Enter");
      await toast(page, "Credits added successfully");
      await dialog.waitFor({ state: "detached" });
      await row.getByText("17", { exact: true }).waitFor();
      await row.getByRole("button", { name: "Suspend" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click();
      await toast(page, "Reseller status updated successfully");
      await row.getByText("Suspended", { exact: true }).waitFor();
      await row.getByRole("button", { name: "Activate" }).click();
      await row.getByText("Active", { exact: true }).waitFor();
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("dialog").getByRole("combobox").fill(username);
      await page.getByRole("option").filter({ hasText: username }).first().click();
      await page.waitForURL(/\/admin\/resellers\/\d+/);
      await awake(page);
    }));

  test(`translated ${start}, an admin generates a token and admin keys`, () =>
    translated(start, "admin keys", async ({ page }) => {
      await signIn(page, "admin", adminLogin);
      await open(page, "/admin/tokens");
      await page.getByRole("button", { name: "Generate New Token" }).first().click();
      await page.getByLabel("Credits (optional)").fill("2.5");
      await page.keyboard.press("Enter");
      await toast(page, "Token Generated");
      await open(page, "/admin/create-keys");
      await page.getByLabel("Game").selectOption("LAST ISLAND OF SURVIVAL");
      await page.getByLabel("Days Valid").fill("0");
      await page
        .getByText("Must be at least 1 day")
        .or(page.getByText("1 to 365", { exact: true }))
        .first()
        .waitFor();
      await page.getByLabel("Days Valid").fill("9");
      await page.getByLabel("Number of Keys").fill("2");
      await page.getByRole("button", { name: "Generate Keys" }).click();
      await toast(page, "Generated 2 admin key(s) successfully");
      await page.getByRole("tab", { name: "Manage" }).click();
      await rowOf(page, "LIOS-").first().waitFor();
      expect(await page.getByText(/Showing \d+ of \d+ total admin keys/).count()).toBe(1);
    }));
}
