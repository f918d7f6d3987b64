import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { focusInside } from "./keyboard.ts";
import { adminLogin } from "./latchkey.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, overflowPixels, sizes } from "./visit.ts";

const stage = openStage();

async function login(page: Page, password: string) {
  await page.getByLabel("Username").fill(adminLogin.username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`on a ${size} the not-found page has one h1, no axe findings and no layout shift, and fits the width`, () =>
    stage.visit(
      `not found ${size}`,
      async ({ page }) => {
        await page.goto("/no-such-page");
        await page.getByRole("heading", { level: 1, name: "404 Page Not Found" }).waitFor();
        await awake(page);
        expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
        expect(await layoutShift(page)).toBe(0);
        expect(await overflowPixels(page)).toBe(0);
        expect(await accessProblems(page)).toEqual([]);
      },
      // Only the page itself may be missing; its files must exist.
      { viewport, expected: /status of 404 .*\/no-such-page$/ },
    ));
}

test("a wrong password shows an alert and a toast, keeps the input and allows another try", () =>
  stage.visit(
    "wrong password",
    async ({ page }) => {
      const alerts: string[] = [];
      page.on("dialog", async (dialog) => {
        alerts.push(`${dialog.type()} ${dialog.message()}`);
        await dialog.accept();
      });
      await page.goto("/");
      await awake(page);
      await login(page, "not-the-password");
      await toast(page, "Login Failed");
      expect(alerts).toEqual([expect.stringMatching(/^alert LOGIN ERROR: \S/)]);
      expect(await page.getByLabel("Username").inputValue()).toBe(adminLogin.username);
      expect(await page.getByRole("textbox").and(page.locator("[aria-invalid=true]")).count()).toBe(2);
      await page.keyboard.press("F8");
      await focusInside(page.getByRole("region", { name: "Notifications (F8)" }));
      expect(await accessProblems(page)).toEqual([]);
    },
    { expected: /status of 401/ },
  ));

test("an admin who signs in sees a confirmation on the next page, and Back does not return to the login", () =>
  stage.visit("sign in", async ({ page }) => {
    await page.goto("/");
    await awake(page);
    await login(page, adminLogin.password);
    await page.waitForURL("**/admin");
    await toast(page, "Logged in as admin successfully");
    await page.goto("/register");
    expect(new URL(page.url()).pathname).toBe("/admin");
  }));

test("a link opened while signed out leads there after the sign-in, once, and only to a page of that role", () =>
  stage.visit("link", async ({ page, context }) => {
    const signInFrom = async (link: string) => {
      await context.clearCookies();
      await page.goto(link);
      await awake(page);
      await login(page, adminLogin.password);
    };
    await signInFrom("/admin/audit?search=night%26owl");
    await page.waitForURL("**/admin/audit?search=night%26owl");
    for (const link of ["/", "/reseller/keys", "/#to=//example.com/admin", "/#to=%2Fadmin%2Fnothing", "/#to=%"]) {
      await signInFrom(link);
      await page.waitForURL("**/admin");
    }
  }));

test("values that a password manager filled in before hydration are submitted", () =>
  stage.visit("filled in before hydration", async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    // Some password managers fire no event.
    const fillIn = (label: string, text: string) =>
      page.getByLabel(label, { exact: true }).evaluate((field, filledIn) => {
        (field as HTMLInputElement).value = filledIn;
      }, text);
    await fillIn("Username", adminLogin.username);
    await fillIn("Password", adminLogin.password);
    expect(await page.locator("[data-island][data-ready]").count()).toBe(0);
    scripts.resolve();
    await awake(page);
    await page.getByRole("button", { name: "Login as Admin" }).click();
    await page.waitForURL("**/admin");
  }));

test("the username has the focus on a desktop, nothing has it on a phone, and neither has layout shift", async () => {
  const focusedField = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name") ?? "none");
  for (const options of [{}, { viewport: sizes.phone, isMobile: true, hasTouch: true }]) {
    await stage.visit(
      "login focus",
      async ({ page }) => {
        await page.goto("/");
        await awake(page);
        expect([await focusedField(page), await layoutShift(page)]).toEqual([
          options.isMobile ? "none" : "username",
          0,
        ]);
        if (options.isMobile) return;
        await page.getByRole("tab", { name: "Admin" }).focus();
        await page.keyboard.press("ArrowRight");
        await page.getByRole("button", { name: "Login as Reseller" }).waitFor();
        await focusInside(page.getByRole("tab", { name: "Reseller" }));
      },
      options,
    );
  }
});

test("a password can be shown, and is hidden again before it is submitted", () =>
  stage.visit("shown password", async ({ page }) => {
    await page.goto("/");
    await awake(page);
    const field = page.getByLabel("Password", { exact: true });
    await page.getByLabel("Username").fill(adminLogin.username);
    await field.fill(adminLogin.password);
    await page.getByRole("button", { name: "Show password" }).click();
    expect([await field.getAttribute("type"), await layoutShift(page)]).toEqual(["text", 0]);
    expect(await accessProblems(page)).toEqual([]);
    const types: (string | null)[] = [];
    await page.route("**/login", async (route) => {
      types.push(await field.getAttribute("type"));
      await route.continue();
    });
    await field.press("Enter");
    await page.waitForURL("**/admin");
    expect(types).toEqual(["password"]);
  }));

test("pressing Login before hydration keeps the focus", () =>
  stage.visit("early focus", async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    await page.getByLabel("Password", { exact: true }).click();
    scripts.resolve();
    await awake(page);
    await focusInside(page.getByLabel("Password", { exact: true }));
  }));

test("after registering, the login has the username; a second registration reports both the token and the name", async () => {
  const admin = await signInAdmin(stage.newClient);
  const { body } = await admin.post("/api/admin/tokens/generate");
  const register = async (page: Page) => {
    await page.goto("/register");
    await awake(page);
    await page.getByLabel("Username").fill("new.seller");
    await page.getByLabel("Password", { exact: true }).fill("a-long-password");
    await page.getByLabel("Referral Token").fill(body.token.token);
    await page.getByRole("button", { name: "Register Account" }).click();
  };
  await stage.visit(
    "handed name",
    async ({ page }) => {
      await register(page);
      await page.waitForURL(`${stage.latchkey.url}/`);
      await awake(page);
      await focusInside(page.getByLabel("Password", { exact: true }));
      expect([await page.getByLabel("Username").inputValue(), await layoutShift(page)]).toEqual(["new.seller", 0]);
      await page.keyboard.type("a-long-password");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/reseller");
      // Without the cookie, pending requests would be refused and lead back to the login.
      await page.goto("about:blank");
      await page.context().clearCookies();
      await register(page);
      await page.getByRole("alert").getByText("This referral token has already been used.").waitFor();
      await page.getByRole("alert").getByText("This username is already taken.").waitFor();
      await focusInside(page.getByLabel("Username"));
    },
    { expected: /status of 409/ },
  );
});

for (const [size, viewport] of Object.entries({ ...sizes, "small phone": { width: 320, height: 568 } })) {
  test(`on a ${size} an invitation greets with its bonus and folds the token away; nothing moves, and it fits`, () =>
    stage.visit(
      `invitation ${size}`,
      async ({ page }) => {
        await page.goto("/register#token=not-a-token&credits=12.5");
        await page.getByText("You start with 12.5 credits.").waitFor();
        await awake(page);
        expect(await page.getByRole("heading", { name: "You’re invited" }).isVisible()).toBeTrue();
        expect(await page.getByLabel("Referral Token").isVisible()).toBeFalse();
        expect([await layoutShift(page), await overflowPixels(page)]).toEqual([0, 0]);
        expect(await accessProblems(page)).toEqual([]);
        await page.getByRole("button", { name: "Change" }).click();
        await focusInside(page.getByLabel("Referral Token"));
        expect(await page.getByLabel("Referral Token").inputValue()).toBe("not-a-token");
        expect(await accessProblems(page)).toEqual([]);
      },
      { viewport },
    ));
}

test("a refused token is unfolded and stays so while it is changed; the next link in the same tab fills in its own", async () => {
  const admin = await signInAdmin(stage.newClient);
  const { token } = (await admin.post("/api/admin/tokens/generate", { credits: 5 })).body.token;
  await stage.visit(
    "refused invitation",
    async ({ page }) => {
      await page.goto("/register");
      await awake(page);
      const field = page.getByLabel("Referral Token");
      expect([await field.isVisible(), await page.getByText("You’re invited").isVisible()]).toEqual([true, false]);
      await page.evaluate(() => window.location.assign("#token=unknown"));
      await page.getByText("Choose a username and a password.").waitFor();
      await page.getByLabel("Username").fill("invited.seller");
      await page.getByLabel("Password", { exact: true }).fill("a-long-password");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").getByText("This referral token does not exist.").waitFor();
      await focusInside(field);
      await page.keyboard.type("x");
      expect(await field.isVisible()).toBeTrue();
      await page.evaluate((hash) => window.location.assign(hash), `#token=${token}&credits=5`);
      await page.getByText("You start with 5 credits.").waitFor();
      expect([await field.inputValue(), await field.isVisible()]).toEqual([token, false]);
      await page.getByRole("button", { name: "Register Account" }).click();
      await page.waitForURL(`${stage.latchkey.url}/`);
    },
    { expected: /status of 422/ },
  );
});

test("without JavaScript the login says that it is required, and sends nothing", () =>
  stage.visit(
    "no script",
    async ({ page }) => {
      await page.goto("/");
      // Playwright's text selectors ignore noscript elements.
      const notice = page.locator("main noscript p");
      expect([await notice.isVisible(), await notice.textContent()]).toEqual([
        true,
        expect.stringContaining("needs JavaScript"),
      ]);
      expect(await page.getByRole("button", { name: "Login as Admin" }).isDisabled()).toBeTrue();
    },
    { javaScriptEnabled: false },
  ));
