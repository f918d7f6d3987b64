import { beforeAll, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../client.ts";
import { focused, focusInside } from "./keyboard.ts";
import { openStage } from "./stage.ts";

const stage = openStage();
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

test("a confirmation opened from a dialog returns the focus to its button, even the first time", async () => {
  await admin.post("/api/admin/keys/generate", {
    ...{ game: "FREE FIRE", deviceLimit: 1, expiryDate: new Date(Date.now() + 86_400_000).toISOString(), count: 1 },
  });
  await stage.visitAsAdmin("focus of a stacked question", "/admin/create-keys?tab=manage", async (page) => {
    const opener = page.getByRole("button", { name: "Details" }).first();
    await opener.focus();
    await page.keyboard.press("Enter");
    const revoke = page.getByRole("dialog", { name: "Key Details" }).getByRole("button", { name: "Revoke Key" });
    await revoke.focus();
    await page.keyboard.press("Enter");
    await focusInside(page.getByRole("alertdialog"));
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await focused(revoke);
    await page.keyboard.press("Escape");
    await focused(opener);
  });
});

test("deleting an update moves the focus to the next one, or to the page after the last one", async () => {
  for (const title of ["First", "Second"]) await admin.post("/api/admin/online-updates", { title, message: "Hello" });
  await stage.visitAsAdmin("focus after a deletion", "/admin/online-updates", async (page) => {
    for (const [deleted, next] of [
      ["Second", page.getByRole("button", { name: "Edit First" })],
      ["First", page.getByRole("main")],
    ] as const) {
      await page.getByRole("button", { name: `Delete ${deleted}` }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
      await page.getByRole("alertdialog").waitFor({ state: "detached" });
      await focused(next);
    }
  });
});

test("after a successful Retry the focus is in the list", () =>
  stage.visitAsAdmin(
    "focus after a retry",
    "/admin",
    async (page) => {
      await page.route("**/api/admin/keys/manage?**", (route) => route.fulfill({ status: 500, body: "out of order" }));
      await page.goto("/admin/create-keys?tab=manage");
      const retry = page.getByRole("button", { name: "Retry" });
      await retry.focus();
      await page.unrouteAll();
      await page.keyboard.press("Enter");
      await retry.waitFor({ state: "detached" });
      await focusInside(page.getByRole("table", { name: "Admin keys" }));
    },
    { expected: /status of 500/ },
  ));

test("F8 focuses the toast over an open dialog, Tab returns to the dialog, and pressing the toast keeps the dialog open", () =>
  stage.visitAsAdmin(
    "toast over a dialog",
    "/admin/tokens",
    async (page) => {
      await page.route("**/api/admin/tokens/generate", (route) => route.fulfill({ status: 500 }));
      await page.getByRole("button", { name: "Generate New Token" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Generate New Token" });
      await dialog.getByLabel("Credits (optional)").fill("7");
      await page.keyboard.press("Enter");
      // By role, which excludes elements hidden behind a dialog.
      const dismiss = page.getByRole("button", { name: "Dismiss" });
      await dismiss.waitFor();
      await page.keyboard.press("F8");
      await focused(page.getByRole("region", { name: /Notifications/ }).getByRole("list"));
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await focused(dismiss);
      await page.keyboard.press("Tab");
      await focusInside(dialog);
      await dismiss.click();
      await dismiss.waitFor({ state: "detached" });
      expect(await dialog.getByLabel("Credits (optional)").inputValue()).toBe("7");
    },
    { expected: /status of 500/ },
  ));

test("after logging in in another tab, the page is unchanged and the notice of the lost session is gone", () =>
  stage.visitAsAdmin("session found again", "/admin/tokens", async (page, { context }) => {
    await page.getByRole("button", { name: "Generate New Token" }).first().click();
    const credits = page.getByRole("dialog").getByLabel("Credits (optional)");
    await credits.fill("7");
    await page.waitForLoadState("networkidle");
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.clock.install();
    await page.clock.fastForward(11_000);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    const [login] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: "Log in again" }).click(),
    ]);
    await login.getByRole("button", { name: "Login as Admin" }).waitFor();
    await context.addCookies(cookies);
    await login.close();
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.getByText("Your session has ended.").waitFor({ state: "detached" });
    expect(await credits.inputValue()).toBe("7");
  }));
