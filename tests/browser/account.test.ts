import { beforeAll, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { type Client, registerReseller, signInAdmin, withApiKey } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, downloadedBy, textOf, withClipboard } from "./clipboard.ts";
import { focused, tabTo } from "./keyboard.ts";
import { closeDialog, toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, layoutShift, overflowPixels, settled, sizes, type VisitOptions } from "./visit.ts";

const stage = openStage();
let admin: Client;
const firstPassword = "test-reseller-password";
const stepMs = 30_000;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

/** Visits the account page as a new reseller. */
async function visitAs(username: string, walk: (page: Page) => Promise<void>, options: VisitOptions = {}) {
  await registerReseller(stage.newClient, admin, { username });
  await stage.visit(
    `account of ${username}`,
    async ({ page }) => {
      await signIn(page, "reseller", { username, password: firstPassword });
      await page.goto("/reseller/account");
      await settled(page);
      await walk(page);
    },
    { ...withClipboard, expected: /status of 401/, ...options },
  );
}

async function fillInLogin(page: Page, username: string, password: string) {
  await page.goto("/");
  await awake(page);
  await page.getByRole("tab", { name: "Reseller" }).click();
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

const passwordIn = (page: Page, name: string) => page.getByRole("textbox", { name });
const codeAt = (secret: string, atMs: number) => new TOTP({ secret }).generate({ timestamp: atMs });

/** Sets up two-factor sign-in on the open account page and returns its secret and recovery codes. */
async function setTwoFactorUp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole("button", { name: "Set Up" }).click();
  const dialog = page.getByRole("dialog");
  await passwordIn(page, "Your Password").fill(firstPassword);
  await page.keyboard.press("Enter");
  await dialog.getByRole("img", { name: "QR code for the key" }).waitFor();
  await dialog.getByRole("button", { name: "Copy" }).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  const secret = await clipboard(page);
  await dialog.getByLabel("Code From the App").fill(codeAt(secret, Date.now()));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Save Your Recovery Codes" }).waitFor();
  return { secret, recoveryCodes: await dialog.getByRole("listitem").allInnerTexts() };
}

test("the header's name leads to the account page, and on a phone the Menu drawer's heading does", async () => {
  await stage.visitAsAdmin("header name", "/admin", async (page) => {
    await page.getByRole("button", { name: "Account of admin" }).click();
    await page.getByRole("menuitem", { name: "Account" }).click();
    await page.waitForURL("**/admin/account");
    await page.getByRole("heading", { level: 1, name: "Account" }).waitFor();
  });
  await stage.visitAsAdmin(
    "drawer name",
    "/admin",
    async (page) => {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Account of admin" }).click();
      await page.waitForURL("**/admin/account");
    },
    { viewport: { width: 320, height: 700 } },
  );
});

test("a new password ends the session of another browser and replaces the old password", () =>
  visitAs("changes.password", async (page) => {
    const elsewhere = stage.newClient();
    await elsewhere.post("/api/auth/reseller/login", { username: "changes.password", password: firstPassword });
    await page.reload();
    await page.getByRole("button", { name: "End All Others" }).waitFor();
    await tabTo(page, passwordIn(page, "Current Password"));
    await page.keyboard.type("not the password");
    await tabTo(page, passwordIn(page, "New Password"));
    await page.keyboard.type("qwerty");
    await page.getByText("Very weak: a common password").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("Your current password is wrong.").waitFor();
    await focused(passwordIn(page, "Current Password"));
    await passwordIn(page, "Current Password").fill(firstPassword);
    await page.getByRole("button", { name: "Change Password" }).press("Enter");
    await toast(page, "Password changed. All your other sessions have ended.");
    await page.getByText("No other sessions.").waitFor();
    expect((await elsewhere.get("/api/reseller/profile")).status).toBe(401);
    const signInWith = async (password: string) =>
      (await elsewhere.post("/api/auth/reseller/login", { username: "changes.password", password })).status;
    expect([await signInWith(firstPassword), await signInWith("qwerty")]).toEqual([401, 200]);
  }));

test("ending a session signs out that browser and updates the list", () =>
  visitAs("ends.sessions", async (page) => {
    const elsewhere = stage.newClient();
    const login = { username: "ends.sessions", password: firstPassword };
    await elsewhere.post("/api/auth/reseller/login", login, { "user-agent": "curl/8.5.0" });
    await page.reload();
    await page.getByRole("button", { name: "End the session of curl from 127.0.0.1" }).press("Enter");
    await toast(page, "The session has ended.");
    await page.getByText("curl", { exact: true }).waitFor({ state: "detached" });
    expect((await elsewhere.get("/api/reseller/profile")).status).toBe(401);
    // The session from the registration is left.
    const question = page.getByRole("alertdialog", { name: "End All Other Sessions" });
    await page.getByRole("button", { name: "End All Others" }).press("Enter");
    await question.getByText("1 session will be signed out.").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await tabTo(page, question.getByRole("button", { name: "End All Others" }));
    await page.keyboard.press("Enter");
    await page.getByText("No other sessions.").waitFor();
  }));

for (const size of ["desktop", "phone"] as const) {
  test(`on a ${size}, two-factor is set up with key and code, and every step is accessible`, () =>
    visitAs(
      `sets.up.${size}`,
      async (page) => {
        const whole = async () => expect([await accessProblems(page), await overflowPixels(page)]).toEqual([[], 0]);
        await page.getByRole("button", { name: "Set Up" }).press("Enter");
        const dialog = page.getByRole("dialog");
        await focused(passwordIn(page, "Your Password"));
        await whole();
        await page.keyboard.type("not the password");
        await page.keyboard.press("Enter");
        await dialog.getByText("Your current password is wrong.").waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        const { recoveryCodes } = await setTwoFactorUp(page);
        await whole();
        expect(recoveryCodes).toHaveLength(10);
        const file = await downloadedBy(dialog.getByRole("button", { name: "Download" }));
        expect(file.suggestedFilename()).toBe("latchkey-recovery-codes.txt");
        expect(await textOf(file)).toContain(recoveryCodes.join("\n"));
        await dialog.getByRole("button", { name: "Copy" }).click();
        await dialog.getByRole("button", { name: "Copied" }).waitFor();
        expect(await clipboard(page)).toBe(recoveryCodes.join("\n"));
        await page.keyboard.press("Escape");
        await page.mouse.click(5, 5);
        expect(await dialog.isVisible()).toBeTrue();
        await closeDialog(page, "I've saved them");
        await page.getByText("10 recovery codes left.").waitFor();
        await focused(page.getByRole("button", { name: "Turn Off" }));
      },
      { viewport: sizes[size], isMobile: size === "phone", hasTouch: size === "phone" },
    ));
}

test("with two-factor on, signing in asks for a code and accepts a real or a recovery code", () =>
  visitAs("signs.in", async (page) => {
    const { secret, recoveryCodes } = await setTwoFactorUp(page);
    await closeDialog(page, "I've saved them");
    const alerts: string[] = [];
    page.on("dialog", (dialog) => {
      alerts.push(dialog.message());
      void dialog.accept();
    });
    await page.context().clearCookies();
    await fillInLogin(page, "signs.in", firstPassword);
    const code = page.getByLabel("Two-Factor Code");
    await focused(code);
    expect([alerts, await page.getByText("Login Failed").count()]).toEqual([[], 0]);
    expect([
      await page.getByLabel("Username").inputValue(),
      await page.getByLabel("Password", { exact: true }).inputValue(),
    ]).toEqual(["signs.in", firstPassword]);
    expect(await accessProblems(page)).toEqual([]);
    await code.fill("AAAA-BBBB-CCCC-DDDD");
    await page.getByRole("button", { name: "Login as Reseller" }).click();
    await toast(page, "Login Failed");
    expect(alerts).toEqual(["LOGIN ERROR: The code is wrong or has already been used."]);
    await focused(code);
    // The current code was used to confirm the setup; the next one is already valid.
    await code.fill(codeAt(secret, Date.now() + stepMs));
    await page.keyboard.press("Enter");
    await page.waitForURL("**/reseller");

    await page.context().clearCookies();
    await fillInLogin(page, "signs.in", firstPassword);
    await code.fill((recoveryCodes[0] ?? "").toLowerCase());
    await page.getByRole("button", { name: "Login as Reseller" }).click();
    await page.waitForURL("**/reseller");
    await page.goto("/reseller/account");
    await page.getByText("9 recovery codes left.").waitFor();
    await page.getByRole("button", { name: "Turn Off" }).click();
    await passwordIn(page, "Your Password").fill(firstPassword);
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await toast(page, "Two-factor sign-in is off.");
    await focused(page.getByRole("button", { name: "Set Up" }));
  }));

test("on a phone, an admin restores access for a reseller who lost password and phone", () =>
  visitAs("lost.both", async (page) => {
    await setTwoFactorUp(page);
    await closeDialog(page, "I've saved them");
    let password = "";
    await stage.visitAsAdmin(
      "reset on a phone",
      "/admin/resellers?search=lost.both",
      async (phone) => {
        const more = phone.getByRole("button", { name: "More" });
        await more.tap();
        expect(await accessProblems(phone)).toEqual([]);
        await phone.getByRole("menuitem", { name: "Reset Password" }).tap();
        await phone.getByRole("alertdialog").getByRole("button", { name: "Reset Password" }).tap();
        const dialog = phone.getByRole("dialog", { name: "New Password" });
        await dialog.getByText("For lost.both.").waitFor();
        expect([await accessProblems(phone), await overflowPixels(phone)]).toEqual([[], 0]);
        password = (await dialog.locator(".key-text").textContent()) ?? "";
        await dialog.getByRole("button", { name: "Copy" }).tap();
        await dialog.getByRole("button", { name: "Copied" }).waitFor();
        expect(await clipboard(phone)).toBe(password);
        await closeDialog(phone, "I've passed it on");
        await focused(more);
      },
      { ...withClipboard, viewport: sizes.phone, isMobile: true, hasTouch: true },
    );
    await page.reload();
    expect(new URL(page.url()).pathname).toBe("/");
    await fillInLogin(page, "lost.both", password);
    // Where it was reloaded, unless the page had already gone to the login by itself.
    await page.waitForURL(/\/reseller(\/account)?$/);
  }));

test("a reseller makes an API key for a program, and deletes it", () =>
  visitAs("makes.api.keys", async (page) => {
    await page.getByRole("link", { name: "API Keys" }).click();
    await page.waitForURL("**/reseller/api-keys");
    await page.getByText("No API keys yet").waitFor();
    await awake(page);
    await page.getByRole("button", { name: "New API Key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Shop");
    await dialog.getByRole("checkbox", { name: "Read keys, orders and timelines, and search" }).check();
    await passwordIn(page, "Your Password").fill(firstPassword);
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Save the API Key" }).waitFor();
    await dialog.getByRole("button", { name: "Copy" }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
    const program = withApiKey(stage.newClient(), await clipboard(page));
    await closeDialog(page, "I've saved it");
    expect((await program.get("/api/reseller/keys")).status).toBe(200);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete API Key" }).click();
    await toast(page, "API key deleted");
    expect((await program.get("/api/reseller/keys")).status).toBe(401);
  }));

test("with the keyboard alone, an admin ends a reseller's sessions from the row menu", async () => {
  const seller = await registerReseller(stage.newClient, admin, { username: "ended.seller" });
  await stage.visitAsAdmin("end sessions", "/admin/resellers?search=ended.seller", async (page) => {
    const more = page.getByRole("row").getByRole("button", { name: "More" });
    await tabTo(page, more);
    await page.keyboard.press("ArrowDown");
    const item = page.getByRole("menuitem", { name: "Reset Password" });
    await focused(item);
    await page.keyboard.press("End");
    await focused(page.getByRole("menuitem", { name: "End Sessions" }));
    await page.keyboard.press("Escape");
    await focused(more);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.keyboard.press("Enter");
    await focused(item);
    await page.keyboard.press("ArrowUp");
    await focused(page.getByRole("menuitem", { name: "End Sessions" }));
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "End Sessions" });
    await tabTo(page, question.getByRole("button", { name: "End Sessions" }));
    await page.keyboard.press("Enter");
    await toast(page, "The reseller was signed out everywhere.");
    await focused(more);
    expect((await seller.get("/api/reseller/profile")).status).toBe(401);
  });
});

test("the placeholders of sessions and two-factor are replaced without layout shift", () =>
  visitAs("many.sessions", async (page) => {
    const login = { username: "many.sessions", password: firstPassword };
    for (let opened = 0; opened < 12; opened += 1) {
      await stage.newClient().post("/api/auth/reseller/login", login, { "user-agent": `Opened/${opened}` });
    }
    for (const viewport of Object.values(sizes)) {
      await page.setViewportSize(viewport);
      await page.reload();
      await settled(page);
      await page.getByRole("button", { name: "Show More (4 left)" }).waitFor();
      expect([viewport.width, await layoutShift(page)]).toEqual([viewport.width, 0]);
    }
  }));
