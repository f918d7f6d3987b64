import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type Client, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, withClipboard } from "./clipboard.ts";
import { focused, focusInside, tabTo } from "./keyboard.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, sizes } from "./visit.ts";

const stage = openStage();
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

const walk = (name: string, go: (page: Page) => Promise<void>, size: keyof typeof sizes = "desktop") =>
  stage.visitAsAdmin(`tokens ${name}`, "/admin/tokens", go, {
    ...withClipboard,
    viewport: sizes[size],
    expected: /status of 500/,
  });

test("without tokens the page says so and offers to create the first", () =>
  walk("none", async (page) => {
    await page.getByText("No tokens found", { exact: true }).waitFor();
    expect(await page.getByRole("main").getByRole("button", { name: "Generate New Token" }).count()).toBe(2);
    expect(await accessProblems(page)).toEqual([]);
    expect(await layoutShift(page)).toBe(0);
  }));

test("with the keyboard alone, a token with credits is generated and appears on the clipboard, in the toast and in the list", () =>
  walk("by keyboard", async (page) => {
    const opener = page.getByRole("button", { name: "Generate New Token" }).first();
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Generate New Token" });
    await focused(dialog.getByLabel("Credits (optional)"));
    await page.keyboard.type("-1");
    await page.keyboard.press("Enter");
    await dialog.getByText("Credits must be at least 0").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("1.000");
    await page.keyboard.press("Enter");
    await dialog.getByText("Credits must be a number, such as 1000 or 12.5").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("12,5");
    await dialog.getByText("The new account starts with 12.5 credits.").waitFor();
    await page.keyboard.press("Enter");
    await toast(page, "Token Generated");
    const token = await clipboard(page);
    await toast(page, `${token} copied to clipboard`);
    const invitation = page.getByRole("dialog", { name: "Invitation" });
    await invitation.getByText("This link creates one reseller account with 12.5 credits.").waitFor();
    await focusInside(invitation);
    await page.keyboard.press("Escape");
    await invitation.waitFor({ state: "detached" });
    const row = rowOf(page, token);
    await row.waitFor();
    expect(await row.getByRole("cell").allInnerTexts()).toEqual([
      token,
      expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/),
      "–",
      "12.5",
      "Available",
      expect.stringMatching(/^Copy\s*Invite\s*Revoke$/),
    ]);
    await focused(opener);
    const [issued] = (await admin.get("/api/admin/tokens")).body;
    expect(issued).toMatchObject({ token, credits: 12.5, isUsed: false });
  }));

test("a used token is found by its user and cannot be copied; a reload keeps the filter", async () => {
  await registerReseller(stage.newClient, admin, { username: "token.user" });
  await walk("used", async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("TOKEN.USER");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/tokens?search=TOKEN.USER");
    const row = rowOf(page, "token.user");
    await row.getByText("Used", { exact: true }).waitFor();
    expect(await row.getByRole("button").count()).toBe(0);
    await page.reload();
    await awake(page);
    await row.waitFor();
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    expect(await layoutShift(page)).toBe(0);
    await page.getByLabel("Status").selectOption("available");
    await page.getByText("Try another search or status.").waitFor();
    await page.getByRole("button", { name: "Clear Filters" }).click();
    await row.waitFor();
  });
});

for (const size of ["tablet", "phone"] as const) {
  test(`on a ${size} the list and its dialogs have no axe findings, and a token is copied, shared and deleted`, async () => {
    const { token } = (await admin.post("/api/admin/tokens/generate", {})).body.token;
    await walk(
      size,
      async (page) => {
        await rowOf(page, token).getByRole("button", { name: "Copy" }).click();
        await toast(page, "Token copied to clipboard");
        expect(await clipboard(page)).toBe(token);
        await rowOf(page, token).getByRole("button", { name: "Invite" }).click();
        await page.getByRole("img", { name: "QR code of the link" }).waitFor();
        expect(await accessProblems(page)).toEqual([]);
        await page.getByRole("button", { name: "Copy Link" }).click();
        await toast(page, "Invitation copied to clipboard");
        const invitation = await clipboard(page);
        expect(invitation).toBe(`${stage.latchkey.url}/register#token=${token}`);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await rowOf(page, token).getByRole("button", { name: "Revoke" }).click();
        await page.getByRole("button", { name: "Revoke Token" }).click();
        await rowOf(page, token).waitFor({ state: "detached" });
        await toast(page, "Token revoked successfully");
        await page.getByRole("main").getByRole("button", { name: "Generate New Token" }).first().click();
        await focusInside(page.getByRole("dialog"));
        expect(await accessProblems(page)).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      },
      size,
    );
  });
}

test("on a small phone a toast covers neither the title nor the close button of an open sheet", () =>
  stage.visitAsAdmin(
    "toast over a sheet",
    "/admin/tokens#new",
    async (page) => {
      await page.getByRole("button", { name: "Generate Token", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Invitation" });
      await dialog.waitFor();
      await toast(page, "Token Generated");
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === "finished"));
      const bottom = (box: Awaited<ReturnType<Locator["boundingBox"]>>) => (box ? box.y + box.height : Number.NaN);
      const shown = bottom(await page.getByRole("listitem").filter({ hasText: "Token Generated" }).boundingBox());
      const heading = await dialog.getByRole("heading", { name: "Invitation" }).boundingBox();
      const close = await dialog.getByRole("button", { name: "Close" }).boundingBox();
      expect([heading?.y, close?.y].map((y) => y !== undefined && y >= shown)).toEqual([true, true]);
      await dialog.getByRole("button", { name: "Close" }).click();
      await dialog.waitFor({ state: "detached" });
    },
    { ...withClipboard, viewport: { width: 320, height: 568 } },
  ));

test("a list that fails to load shows the reason and loads on Retry", () =>
  walk("failure", async (page) => {
    await page.route("**/api/admin/tokens?**", (route) => route.fulfill({ status: 500, body: "out of order" }));
    await page.reload();
    await page.getByText("500: out of order").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("cell").first().waitFor();
  }));
