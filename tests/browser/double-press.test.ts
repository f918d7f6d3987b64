import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, registerReseller, signInAdmin } from "../client.ts";
import { focused } from "./keyboard.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake } from "./visit.ts";

const stage = openStage();
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

/** The unsafe calls that the page sends. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") calls.push(new URL(request.url()).pathname);
  });
  return calls;
}

async function enterTwice(page: Page) {
  await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Enter")]);
}

test("Enter pressed twice grants credits once, issues one token and creates one update", async () => {
  await registerReseller(stage.newClient, admin, { username: "double.owl", credits: 1 });
  await stage.visitAsAdmin("double press by keyboard", "/admin/resellers", async (page) => {
    const calls = callsOf(page);
    await rowOf(page, "double.owl").getByRole("button", { name: "Add Credit" }).click();
    await focused(page.getByLabel("Amount"));
    await page.keyboard.type("5");
    await enterTwice(page);
    await toast(page, "Credits added successfully");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await rowOf(page, "double.owl").getByRole("cell", { name: "6", exact: true }).waitFor();

    await page.goto("/admin/tokens");
    await awake(page);
    await page.getByRole("button", { name: "Generate New Token" }).first().click();
    await focused(page.getByLabel("Credits (optional)"));
    await enterTwice(page);
    await toast(page, "Token Generated");
    // The dialog has become the invitation.
    await page.getByRole("dialog").getByRole("button", { name: "Copy Link" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.goto("/admin/online-updates");
    await awake(page);
    await page.getByRole("button", { name: "Create Update" }).first().click();
    await page.getByLabel("Message").fill("Once");
    await page.getByLabel("Title").fill("Once");
    await enterTwice(page);
    await toast(page, "Update created successfully!");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(calls).toEqual(["/api/admin/resellers/credits", "/api/admin/tokens/generate", "/api/admin/online-updates"]);
  });
});

test("a second Enter after the dialog closed does not reopen it, although its button has the focus", async () => {
  await stage.visitAsAdmin("late second press", "/admin/online-updates", async (page) => {
    const opener = page.getByRole("button", { name: "Create Update" }).first();
    await opener.click();
    await focused(page.getByLabel("Title"));
    await page.keyboard.type("Late");
    await page.getByLabel("Message").fill("Late");
    await page.getByLabel("Title").focus();
    await page.keyboard.down("Enter");
    await focused(opener);
    // Repeated keydown events of a key that is held down.
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.getByRole("dialog").count()).toBe(0);
  });
});

test("a double click on Activate activates once, and does not press the Suspend button that replaces it", async () => {
  const reseller = await registerReseller(stage.newClient, admin, { username: "twice.up", credits: 1 });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  await stage.visitAsAdmin("double press of activate", "/admin/resellers", async (page) => {
    const calls = callsOf(page);
    const row = rowOf(page, "twice.up");
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await row.getByRole("button", { name: "Activate" }).boundingBox()) ?? {};
    const [middle, half] = [x + width / 2, y + height / 2];
    // Time stands still, because on a busy machine the second press would come too late for a double click.
    await page.evaluate(() => {
      const nowMs = performance.now();
      performance.now = () => nowMs;
    });
    await page.mouse.click(middle, half);
    // The second press comes after the button has changed.
    await row.getByRole("button", { name: "Suspend" }).waitFor();
    await page.mouse.click(middle, half);
    await toast(page, "Reseller status updated successfully");
    expect(calls).toEqual([`/api/admin/resellers/${reseller.id}/toggle-status`]);
    expect(await page.getByRole("alertdialog").count()).toBe(0);
  });
});
