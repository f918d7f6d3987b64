import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, withClipboard } from "./clipboard.ts";
import { focused, pressInComposition, tabTo } from "./keyboard.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, overflowPixels, sizes } from "./visit.ts";

const stage = openStage();
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

const register = (username: string): Promise<ResellerClient> =>
  registerReseller(stage.newClient, admin, { username, credits: 12.5 });

const walk = (name: string, path: string, go: (page: Page) => Promise<void>, size: keyof typeof sizes = "desktop") =>
  stage.visitAsAdmin(name, path, go, { ...withClipboard, viewport: sizes[size], expected: /status of (404|500)/ });

test("with the keyboard alone, an admin finds a reseller and adds credit from its row", async () => {
  await register("keyboard.owl");
  await walk("credit by keyboard", "/admin/resellers", async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("KEYBOARD");
    const row = rowOf(page, "keyboard.owl");
    const opener = row.getByRole("button", { name: "Add Credit" });
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add Credit" });
    await focused(dialog.getByLabel("Amount"));
    expect(await dialog.getByLabel("Reseller").inputValue()).toBe("keyboard.owl");
    await page.keyboard.type("50");
    await dialog.getByText("Adds 50 credits, new balance 62.5").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await toast(page, "Credits added successfully");
    await dialog.waitFor({ state: "detached" });
    await row.getByText(/62\.5$/).waitFor();
    await focused(opener);
    expect(new URL(page.url()).search).toBe("?search=KEYBOARD");
  });
});

for (const size of ["desktop", "phone"] as const) {
  test(`on a ${size}, Add Credit searches the resellers and reports missing fields`, async () => {
    await register(`picked.${size}`);
    await register(`other.${size}`);
    await walk(
      `credit on a ${size}`,
      "/admin/resellers",
      async (page) => {
        await page.getByRole("main").getByRole("button", { name: "Add Credit" }).first().click();
        const dialog = page.getByRole("dialog", { name: "Add Credit" });
        const field = dialog.getByRole("combobox", { name: "Reseller" });
        await dialog.getByRole("button", { name: "Add Credit" }).click();
        await dialog.getByText("Please select a reseller").waitFor();
        await dialog.getByText("Amount is required").waitFor();
        await focused(field);
        await page.keyboard.type(`picked.${size}`);
        // Enter selects the first option, so the right one must be the only one.
        await page.waitForFunction((name) => {
          const [offered, ...others] = document.querySelectorAll("[role=option]");
          return offered?.textContent?.includes(name) && others.length === 0;
        }, `picked.${size}`);
        expect(await accessProblems(page)).toEqual([]);
        await page.keyboard.press("Enter");
        await dialog.getByText("Balance: 12.5 credits").waitFor();
        await page.keyboard.press("Tab");
        for (const text of ["1,5", "1.5", "1.000"]) {
          await page.keyboard.type(text);
          expect(await dialog.getByLabel("Amount").inputValue()).toBe(text);
          await page.keyboard.press("Enter");
          await dialog.getByText("A whole number of credits, please.").waitFor();
          await page.keyboard.press("ControlOrMeta+a");
        }
        await page.keyboard.type("7");
        await dialog.getByText("Adds 7 credits, new balance 19.5").waitFor();
        await page.keyboard.press("Enter");
        await toast(page, "Credits added successfully");
        await rowOf(page, `picked.${size}`)
          .getByText(/19\.5$/)
          .waitFor();
      },
      size,
    );
  });
}

test("typing after a reseller was chosen searches for another one", async () => {
  await register("first.choice");
  await register("other.choice");
  await walk("second thought", "/admin/resellers", async (page) => {
    await page.getByRole("button", { name: "Add Credit" }).first().click();
    const field = page.getByRole("dialog").getByRole("combobox", { name: "Reseller" });
    const choose = async (typed: string, name: string) => {
      await page.keyboard.type(typed);
      const offered = page.getByRole("option", { name });
      await page.waitForFunction(() => document.querySelectorAll("[role=option]").length === 1);
      await offered.click();
      expect(await field.inputValue()).toBe(name);
    };
    await focused(field);
    await choose("first.ch", "first.choice");
    await choose("other.ch", "other.choice");
    await page.getByLabel("Amount").click();
    await field.click();
    await choose("first.ch", "first.choice");
  });
});

test("the Enter and Esc of an input method choose nothing and close neither a dialog nor the command bar", async () => {
  await register("composed");
  await walk("input method", "/admin/resellers", async (page) => {
    await page.getByRole("button", { name: "Add Credit" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add Credit" });
    const field = dialog.getByRole("combobox", { name: "Reseller" });
    await focused(field);
    for (const key of ["Enter", "Escape"] as const) {
      await page.keyboard.type("compo");
      await page.getByRole("option", { name: "composed" }).waitFor();
      await pressInComposition(page, "sed", key);
      expect([key, await field.inputValue(), await field.getAttribute("aria-expanded")]).toEqual([
        key,
        "composed",
        "true",
      ]);
      await dialog.getByText("Type part of the username.").waitFor();
      await field.fill("");
    }
    await page.keyboard.type("compo");
    await page.getByRole("option", { name: "composed" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByText("Balance: 12.5 credits").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    const bar = page.getByRole("dialog", { name: "Search" });
    await focused(bar.getByRole("combobox"));
    await pressInComposition(page, "Overview", "Enter");
    await pressInComposition(page, "Overview", "Escape");
    expect(await bar.getByRole("combobox").inputValue()).toBe("Overview");
    expect(page.url()).toEndWith("/admin/resellers");
  });
});

test("suspending asks for confirmation, and the suspended reseller is found after a reload", async () => {
  const reseller = await register("to.suspend");
  await walk("suspension", "/admin/resellers", async (page) => {
    const row = rowOf(page, "to.suspend");
    const opener = row.getByRole("button", { name: "Suspend" });
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Suspend Reseller" });
    await question.getByText("to.suspend is notified and signed out everywhere").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect((await reseller.get("/api/reseller/profile")).status).toBe(200);
    await focused(opener);
    await page.keyboard.press("Enter");
    await tabTo(page, question.getByRole("button", { name: "Suspend" }));
    await page.keyboard.press("Enter");
    await toast(page, "Reseller status updated successfully");
    await row.getByText("Suspended", { exact: true }).waitFor();
    expect((await reseller.get("/api/reseller/profile")).status).toBe(401);
    await page.getByLabel("Status").selectOption("suspended");
    await page.reload();
    await awake(page);
    await row.waitFor();
    // The heading row and the suspended reseller.
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await layoutShift(page)).toBe(0);
    await row.getByRole("button", { name: "Activate" }).click();
    await page.getByText("No resellers found", { exact: true }).waitFor();
  });
});

test("on a phone, a reseller's page adds credit, suspends, activates, resets the password and ends sessions", async () => {
  const username = "a.name.of.thirty-two.characters1";
  const reseller = await register(username);
  await walk(
    "account on its page",
    `/admin/resellers/${reseller.id}`,
    async (page) => {
      const main = page.getByRole("main");
      const fact = (name: string, value: string) =>
        main.locator("dl > div", { hasText: name }).getByText(value).waitFor();
      await fact("Credit Balance", "12.5");
      expect([await layoutShift(page), await accessProblems(page), await overflowPixels(page)]).toEqual([0, [], 0]);

      await main.getByRole("button", { name: "Add Credit" }).click();
      const dialog = page.getByRole("dialog", { name: "Add Credit" });
      await dialog.getByText("Balance: 12.5 credits").waitFor();
      await focused(dialog.getByLabel("Amount"));
      await page.keyboard.type("50");
      await page.keyboard.press("Enter");
      await fact("Credit Balance", "62.5");
      await page.getByRole("table", { name: "Credits" }).getByText("Credits added").waitFor();

      await main.getByRole("button", { name: "Suspend" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click();
      await fact("Status", "Suspended");
      expect((await reseller.get("/api/reseller/profile")).status).toBe(401);
      await focused(main.getByRole("button", { name: "Activate" }));
      await page.keyboard.press("Enter");
      await fact("Status", "Active");

      for (const name of ["Reset Password", "End Sessions"]) {
        await main.getByRole("button", { name }).click();
        await page.getByRole("alertdialog", { name }).getByText(username).waitFor();
        await page.keyboard.press("Escape");
        await focused(main.getByRole("button", { name }));
      }
    },
    "phone",
  );
});

test("a reseller's key is copied and revoked after a confirmation, and then has no Revoke button", async () => {
  const reseller = await register("key.seller");
  const bought = await reseller.post("/api/reseller/keys/generate", {
    ...{ game: "FREE FIRE", deviceLimit: 100, days: 30, count: 1 },
  });
  const { keyString } = bought.body.keys[0];
  await walk("revocation", "/admin/resellers", async (page) => {
    await rowOf(page, "key.seller").getByRole("link", { name: "Keys" }).click();
    await page.waitForURL(`**/admin/resellers/${reseller.id}/keys`);
    await awake(page);
    await page.getByRole("heading", { level: 1, name: "Manage Keys" }).waitFor();
    await page.getByText("License keys of key.seller").waitFor();
    const row = rowOf(page, keyString);
    await row.getByText("0 / Unlimited").waitFor();
    await row.getByRole("button", { name: "Copy key" }).click();
    await toast(page, "License key copied to clipboard");
    expect(await clipboard(page)).toBe(keyString);
    await row.getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("alertdialog", { name: "Revoke License Key" });
    await question.getByText("This action cannot be undone.").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await question.getByRole("button", { name: "Revoke Key" }).click();
    await toast(page, "The key has been successfully revoked");
    await page.getByText("Key Revoked", { exact: true }).first().waitFor();
    await row.getByText("REVOKED", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Revoke" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Back to resellers" }).click();
    await page.waitForURL("**/admin/resellers");
  });
});

test("the back link from a reseller's keys restores the list's filters; the navigation resets them", async () => {
  await register("way.back");
  await walk("way back", "/admin/resellers", async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("WAY.");
    await page.waitForURL(/\?search=WAY\.$/);
    await rowOf(page, "way.back").getByRole("link", { name: "Keys" }).click();
    await page.waitForURL(/\/keys$/);
    await awake(page);
    await page.getByRole("link", { name: "Back to resellers" }).click();
    await page.waitForURL(/\/admin\/resellers\?search=WAY\.$/);
    await rowOf(page, "way.back").waitFor();
    await page.getByRole("link", { name: "Manage Resellers" }).first().click();
    await page.waitForURL(/\/admin\/resellers$/);
  });
});

test("a reseller without keys and a missing reseller have messages", async () => {
  const reseller = await register("no.keys");
  await walk("no keys", `/admin/resellers/${reseller.id}/keys`, async (page) => {
    await page.getByText("No keys found for this reseller", { exact: true }).waitFor();
    const response = await page.goto("/admin/resellers/999999/keys");
    expect(response?.status()).toBe(404);
    await page.getByText("There is no such reseller.").waitFor();
    expect(await accessProblems(page)).toEqual([]);
  });
});

test("the overview shows counts and lists the newest resellers first", async () => {
  await register("the.newest");
  await walk("overview", "/admin", async (page) => {
    const entries = page.getByRole("listitem").filter({ hasText: "Reseller registered: " });
    await entries
      .first()
      .filter({ hasText: /^Reseller registered: the\.newest\d\d\/\d\d\/\d{4}just now$/ })
      .waitFor();
    expect(await entries.count()).toBeLessThanOrEqual(5);
    const { totalResellers } = (await admin.get("/api/admin/stats")).body;
    await page.getByRole("definition").first().getByText(String(totalResellers), { exact: true }).waitFor();
  });
});

test("a list that fails to load shows the reason and loads on Retry", () =>
  walk("list failure", "/admin", async (page) => {
    await page.route("**/api/admin/resellers?**", (route) => route.fulfill({ status: 500, body: "out of order" }));
    await page.goto("/admin/resellers");
    await page.getByText("500: out of order").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("link", { name: "Keys" }).first().waitFor();
  }));
