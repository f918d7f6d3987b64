import { beforeAll, expect, test } from "bun:test";
import { type Client, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, withClipboard } from "./clipboard.ts";
import { closeDialog } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, settled } from "./visit.ts";

const stage = openStage();
const username = "has.staff";
const password = "test-reseller-password";
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  await registerReseller(stage.newClient, admin, { username });
});

test("a reseller makes an account for a helper, who sees only what it may open", async () => {
  let helperPassword = "";
  await stage.visit(
    "new helper",
    async ({ page }) => {
      await signIn(page, "reseller", { username, password });
      await page.goto("/reseller/account");
      await page.getByRole("main").getByRole("link", { name: "Staff" }).click();
      await page.getByText("No staff yet").waitFor();
      await awake(page);
      await page.getByRole("button", { name: "New Account" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Username").fill("answers.players");
      await dialog.getByRole("button", { name: "Answers players" }).click();
      await dialog.getByLabel("Your Password", { exact: true }).fill(password);
      expect(await accessProblems(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "New Password" }).waitFor();
      await dialog.getByRole("button", { name: "Copy" }).click();
      await dialog.getByRole("button", { name: "Copied" }).waitFor();
      helperPassword = await clipboard(page);
      await closeDialog(page, "I've passed it on");
      await page.getByRole("cell", { name: "answers.players" }).waitFor();
    },
    withClipboard,
  );
  await stage.visit(
    "helper",
    async ({ page }) => {
      await signIn(page, "reseller", { username: "answers.players", password: helperPassword });
      await page.goto("/reseller");
      await settled(page);
      const links = page.getByRole("navigation", { name: "Reseller" }).getByRole("link");
      expect(await links.allTextContents()).toEqual(["Overview", "Manage Keys", "API Documentation"]);
      expect(await page.getByText("Credits").count()).toBe(0);
      await page.goto("/reseller/generate");
      await page.getByRole("heading", { level: 1, name: "Your account cannot open this page." }).waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await page.getByRole("main").getByRole("link", { name: "Overview" }).click();
      await page.waitForURL("**/reseller");
    },
    { expected: /status of 403/ },
  );
});
