import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, downloadedBy, formOf, textOf, withClipboard } from "./clipboard.ts";
import { focused, focusInside, tabTo } from "./keyboard.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, overflowPixels, resize, sizes } from "./visit.ts";

const stage = openStage();
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

const generatePage = "/admin/create-keys";
const managePage = "/admin/create-keys?tab=manage";
const walk = (name: string, path: string, go: (page: Page) => Promise<void>, size: keyof typeof sizes = "desktop") =>
  stage.visitAsAdmin(`admin keys ${name}`, path, go, {
    ...withClipboard,
    viewport: sizes[size],
    expected: /status of (409|500)/,
  });

interface Made {
  id: number;
  orderId: number;
  keyString: string;
}
async function make(order: object = {}): Promise<Made> {
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const whole = { game: "FREE FIRE", deviceLimit: 5, count: 1, expiryDate: inTenDays, ...order };
  return (await admin.post("/api/admin/keys/generate", whole)).body.keys[0];
}
const verify = (key: string, deviceId: string) =>
  stage.newClient().post("/api/verify", { key, deviceId, game: "FREE FIRE" });

test("with the keyboard alone, keys are generated, shown, copied, and downloaded as TXT and CSV", () =>
  walk("generate", generatePage, async (page) => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await tabTo(page, page.getByLabel("Game"));
    await page.keyboard.type("LAST");
    await tabTo(page, page.getByLabel("Number of Keys"));
    await page.keyboard.type("3");
    await tabTo(page, page.getByRole("button", { name: "Random" }));
    await page.keyboard.press("Enter");
    const custom = await page.getByLabel("Custom Key").inputValue();
    expect(custom).toMatch(/^LIOS(-[A-Z0-9]{5}){3}$/);
    await tabTo(page, page.getByRole("button", { name: "Generate Keys" }));
    await page.keyboard.press("Enter");
    await toast(page, "Generated 3 admin key(s) successfully");
    const batch = page.getByRole("region", { name: "Generated Keys" });
    await focused(batch);
    const keys = await batch.getByRole("listitem").locator(".key-text").allInnerTexts();
    expect(keys).toEqual([custom, ...Array(2).fill(expect.stringMatching(/^LIOS(-[A-Z0-9]{5}){3}$/))]);
    expect(requested).not.toContain("/api/admin/keys/manage");

    await batch.getByRole("button", { name: "Copy Key" }).nth(1).press("Enter");
    await toast(page, "Copied! Key copied to clipboard");
    expect(await clipboard(page)).toBe(keys[1] as string);
    await batch.getByRole("button", { name: "Copy All" }).press("Enter");
    await toast(page, "3 keys copied to clipboard");
    expect(await clipboard(page)).toBe(keys.map((key) => `${key}\n`).join(""));
    const text = await downloadedBy(await formOf(batch, "Download TXT"));
    expect(await textOf(text)).toBe(keys.map((key) => `${key}\n`).join(""));
    const table = await downloadedBy(await formOf(batch, "Download CSV"));
    const lines = (await textOf(table)).replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(lines[0]).toBe("License Key,Game,Device Limit,Created,Expires");
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(keys);
    expect(await accessProblems(page)).toEqual([]);

    await page.getByRole("tab", { name: "Manage" }).click();
    await rowOf(page, custom).waitFor();
    expect(requested).toContain("/api/admin/keys/manage");
  }));

test("each invalid field and a taken key have a message", async () => {
  const { keyString } = await make({ keyString: "TAKEN-1" });
  await walk("wrong", generatePage, async (page) => {
    await page.getByRole("button", { name: "Random" }).click();
    await page.getByText("Please select a game first").waitFor();
    await focused(page.getByLabel("Game"));
    await page.getByLabel("Days Valid").fill("0");
    await page.getByLabel("Number of Keys").fill("");
    await page.keyboard.press("Enter");
    for (const message of ["Game selection is required", "Must be at least 1 day", "Must generate at least 1 key"]) {
      await page.getByText(message, { exact: true }).waitFor();
    }
    expect(await accessProblems(page)).toEqual([]);
    await page.getByLabel("Game").selectOption("FREE FIRE");
    await page.getByLabel("Days Valid").fill("365");
    await page.getByLabel("Number of Keys").fill("1");
    await page.getByLabel("Custom Key").fill(keyString.toLowerCase());
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("is already taken.").waitFor();
    await focused(page.getByLabel("Custom Key"));
  });
});

test("all devices are reset after the confirmation word, and the toast shows the number of keys", async () => {
  const key = await make();
  await verify(key.keyString, "phone-to-reset");
  await walk("reset", generatePage, async (page) => {
    await page.getByRole("button", { name: "RESET ALL KEYS" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText(/\d+ active keys? and all expired or revoked ones/).waitFor();
    await question.getByText(/This cannot be undone\./).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    const confirm = question.getByRole("button", { name: "RESET ALL KEYS" });
    expect(await confirm.isDisabled()).toBeTrue();
    await question.getByRole("textbox").fill("RESET");
    await page.keyboard.press("Enter");
    await page
      .getByText(/^Reset devices for \d+ keys successfully$/)
      .first()
      .waitFor();
    expect((await admin.get(`/api/admin/keys/${key.id}/details`)).body.deviceCount).toBe(0);
  });
});

test("search, filters and sorting are kept in the address, and the footer counts the matches", async () => {
  const key = await make({ keyString: "NEEDLE-in-the-hay", game: "PUBG MOBILE" });
  await walk("find", managePage, async (page) => {
    const { totalCount } = (await admin.get("/api/admin/keys/manage?limit=1")).body;
    await page.getByText(`Showing ${totalCount} of ${totalCount} total admin keys`, { exact: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("needle");
    await page.getByText(`Showing 1 of ${totalCount} total admin keys`, { exact: true }).waitFor();
    await page.getByLabel("Game").selectOption("PUBG MOBILE");
    await page.getByLabel("Status").selectOption("ACTIVE");
    await page.getByRole("button", { name: "Expires" }).click();
    await page.waitForURL(
      "**/create-keys?tab=manage&search=needle&game=PUBG+MOBILE&status=ACTIVE&sort=expiry&descending=false",
    );
    await page.reload();
    await awake(page);
    await rowOf(page, key.keyString)
      .getByText(/^[A-Z][a-z]{2} \d\d, \d{4}$/)
      .first()
      .waitFor();
    expect(await layoutShift(page)).toBe(0);
    await page.getByLabel("Status").selectOption("REVOKED");
    await page.getByText("Try changing your search filters.").waitFor();
    await page.getByRole("button", { name: "Clear Filters" }).click();
    await page.getByText(`Showing ${totalCount} of ${totalCount} total admin keys`, { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("manage");
  });
});

for (const size of ["desktop", "tablet", "phone"] as const) {
  test(`on a ${size} a key's details show devices and history and can revoke it`, async () => {
    const key = await make({ count: 1 });
    await verify(key.keyString, `device-of-${size}`);
    await walk(
      `details ${size}`,
      managePage,
      async (page) => {
        await rowOf(page, key.keyString).getByRole("button", { name: "Details" }).click();
        const dialog = page.getByRole("dialog", { name: "Key Details" });
        await dialog.getByText("Key generated by admin").waitFor();
        await dialog.getByText("Device connected").waitFor();
        await dialog.getByText("Admins").waitFor();
        // Once in the devices and once in the history.
        const device = dialog.getByText(`device-of-${size}`, { exact: true });
        await device.nth(1).waitFor();
        expect(await device.count()).toBe(2);
        expect(await accessProblems(page)).toEqual([]);
        await dialog.getByRole("button", { name: "Revoke Key" }).click();
        const question = page.getByRole("alertdialog", { name: "Revoke Admin Key" });
        await question.getByText("This action cannot be undone.").waitFor();
        expect(await accessProblems(page)).toEqual([]);
        await question.getByRole("button", { name: "Revoke Key" }).click();
        await toast(page, "Key revoked successfully");
        await dialog.getByText("Key revoked by admin").waitFor();
        await dialog.getByRole("button", { name: "Revoke Key" }).waitFor({ state: "detached" });
        await focusInside(dialog);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await rowOf(page, key.keyString).getByText("REVOKED", { exact: true }).waitFor();
        await rowOf(page, key.keyString).getByRole("button", { name: "Revoke" }).waitFor({ state: "detached" });
        expect((await verify(key.keyString, `device-of-${size}`)).body.code).toBe("REVOKED");
      },
      size,
    );
  });
}

test("on a phone an admin compensates keys after seeing how many they are, and takes that back", async () => {
  const key = await make({ count: 2 });
  const expiry = async () => (await admin.get(`/api/admin/keys/${key.id}/details`)).body.expiryDate;
  const before = await expiry();
  await walk(
    "intervention",
    generatePage,
    async (page) => {
      await page.getByRole("link", { name: "Interventions" }).click();
      await page.waitForURL("**/admin/interventions");
      await awake(page);
      await page.getByRole("button", { name: "New Intervention" }).click();
      const dialog = page.getByRole("dialog", { name: "New Intervention" });
      await dialog.getByLabel("Keys").selectOption("Of an order");
      await dialog.getByLabel("Order Number").fill(String(key.orderId));
      await dialog.getByLabel("Time to Add").fill("6");
      await dialog.getByLabel("Reason").fill("Outage of the harbour. ".repeat(9).slice(0, 200).trim());
      await dialog.getByRole("button", { name: "Count Keys" }).click();
      await dialog.getByText("Keys affected").waitFor();
      expect([await accessProblems(page), await expiry()]).toEqual([[], before]);
      // A press right after the count could be the second one of a double press, and starts nothing.
      const start = dialog.getByRole("button", { name: "Compensate 2 keys" });
      while (await start.isVisible()) await start.click({ timeout: 1_000 }).catch(() => {});
      const row = rowOf(page, "Compensation of 6 hours");
      await row.getByText("Done").waitFor();
      expect(Date.parse(await expiry()) - Date.parse(before)).toBe(6 * 3_600_000);
      for (const width of [320, 900, 1440, 390]) {
        await resize(page, width, 844);
        expect([width, await overflowPixels(page)]).toEqual([width, 0]);
      }
      await row.getByRole("button", { name: "Undo" }).click();
      const question = page.getByRole("alertdialog", { name: "Undo Compensation" });
      await question.getByText("6 hours are taken back from 2 keys").waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await question.getByRole("button", { name: "Undo Compensation" }).click();
      await row.getByText("Undone").waitFor();
      expect([await expiry(), await accessProblems(page)]).toEqual([before, []]);
    },
    "phone",
  );
});

test("a list that fails to load shows its status and loads on Retry", () =>
  walk("failure", managePage, async (page) => {
    await page.route("**/api/admin/keys/manage?**", (route) => route.fulfill({ status: 500, body: "out of order" }));
    await page.reload();
    await page.getByText("HTTP error! status: 500", { exact: true }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("cell").first().waitFor();
  }));
