import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { downloadedBy, textOf } from "./clipboard.ts";
import { tabTo } from "./keyboard.ts";
import { rowOf, toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { awake, layoutShift, overflowPixels, settled, sizes } from "./visit.ts";

const listCall = "**/api/admin/audit?*";

const stage = openStage();
let admin: Client;
let owl: ResellerClient;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  owl = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 20 });
  await owl.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 3 });
});

const walk = (
  name: string,
  go: (page: Page) => Promise<void>,
  size: keyof typeof sizes = "desktop",
  path = "/admin/audit",
) =>
  stage.visitAsAdmin(`audit log ${name}`, path, go, {
    viewport: sizes[size],
    isMobile: size === "phone",
    expected: /status of 500/,
  });

test("the account page, the command bar and the overview lead to the audit log, which links to what was changed", () =>
  walk(
    "from overview",
    async (page) => {
      await admin.post("/api/admin/resellers/credits", { resellerId: owl.id, amount: 7 });
      await page.goto("/admin/account");
      await page.getByRole("link", { name: "Audit Log" }).click();
      await page.getByRole("heading", { name: "Audit Log", level: 1 }).waitFor();
      await awake(page);
      await page.keyboard.press("Control+K");
      const bar = page.getByRole("dialog", { name: "Search" });
      await bar.getByRole("combobox").fill("audit");
      await bar.getByRole("option", { name: "Audit Log" }).waitFor();
      await page.goto("/admin");
      await page.getByRole("link", { name: "View the audit log" }).click();
      await page.waitForURL("**/admin/audit");
      await settled(page);
      const row = rowOf(page, "7 credits, the balance then");
      expect(await row.getByRole("cell").nth(1).textContent()).toBe("Whoadmin ·");
      await row.getByRole("link", { name: "reseller night.owl" }).click();
      await page.waitForURL(`**/admin/resellers/${owl.id}`);
    },
    "desktop",
    "/admin",
  ));

test("with the keyboard alone it is filtered by actor and action; a reload keeps the filters, Clear Filters removes them", () =>
  walk("by keyboard", async (page) => {
    await settled(page);
    await tabTo(page, page.getByLabel("Who did it"));
    await page.keyboard.type("NIGHT.OWL");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/audit?actor=NIGHT.OWL");
    await page.getByLabel("Action").selectOption("Keys generated");
    await page.getByText("3 keys, FREE FIRE, 5 days, 2 devices, 1.5 credits").waitFor();
    await page.reload();
    await settled(page);
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await page.getByLabel("Who did it").inputValue()).toBe("NIGHT.OWL");
    await page.getByRole("button", { name: "Clear Filters" }).press("Enter");
    await rowOf(page, "Admin created").waitFor();
    expect(await page.getByLabel("Who did it").inputValue()).toBe("");
  }));

test("its filters and Clear Filters are on one line, and the migrations of one start are one row", async () => {
  for (const size of ["desktop", "tablet"] as const)
    await walk(
      `on one line, ${size}`,
      async (page) => {
        await settled(page);
        expect(await rowOf(page, "Database migrated").count()).toBe(1);
        expect(await page.getByText(/^\d+ migrations, \d{4}_\w+ to \d{4}_/).count()).toBe(1);
        const filters = page.getByRole("main").locator("input, select, [aria-label='Clear Filters']");
        const tops = await filters.evaluateAll((each) =>
          each.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top),
        );
        expect([tops.length, new Set(tops).size]).toEqual([6, 1]);
        expect(await overflowPixels(page)).toBe(0);
      },
      size,
      "/admin/audit?to=2100-01-01",
    );
});

test("a date filter covers the whole day in the browser's time zone", () =>
  walk("days", async (page) => {
    await settled(page);
    const today = await page.evaluate(() => {
      const [now, two] = [new Date(), (part: number) => String(part).padStart(2, "0")];
      return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
    });
    await page.getByLabel("From").fill(today);
    await page.getByLabel("To", { exact: true }).fill(today);
    await page.waitForURL(`**/admin/audit?from=${today}&to=${today}`);
    await rowOf(page, "Admin created").waitFor();
    await page.getByLabel("From").fill("2001-01-01");
    await page.getByLabel("To", { exact: true }).fill("2001-01-02");
    await page.getByText("No entries match").waitFor();
    expect(await accessProblems(page)).toEqual([]);
  }));

test("the download contains the filtered rows and adds its own row to the list", () =>
  walk("csv", async (page) => {
    await settled(page);
    await page.getByLabel("Search the audit log").fill("night.owl");
    await page.waitForURL("**/admin/audit?search=night.owl");
    await settled(page);
    const download = await downloadedBy(page.getByRole("button", { name: "Download CSV" }));
    await toast(page, "Audit log downloaded successfully");
    expect(download.suggestedFilename()).toMatch(/^latchkey-audit-log-[\dTZ-]+\.csv$/);
    const [headings, ...lines] = (await textOf(download)).replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(headings).toBe("id,at,action,actor,target,address,details");
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => line.includes("night.owl"))).toBe(true);
    await page.getByRole("button", { name: "Clear Filters" }).click();
    await rowOf(page, "search “night.owl”").waitFor();
  }));

test("a list that fails shows an error and loads on Retry; a failed download shows an error", () =>
  walk("failures", async (page) => {
    await settled(page);
    await page.route(listCall, (route) => route.fulfill({ status: 500, body: "broken" }));
    await page.getByLabel("Action").selectOption("Signed in");
    await page.getByRole("alert").getByRole("button", { name: "Retry" }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Download CSV" }).press("Enter");
    await toast(page, "Failed to download file");
    await page.unroute(listCall);
    await page.getByRole("button", { name: "Retry" }).press("Enter");
    await rowOf(page, "own account").first().waitFor();
  }));

test("on a phone the filters are in a sheet, the button counts them, and the list follows", () =>
  walk(
    "phone filters",
    async (page) => {
      await settled(page);
      await page.getByRole("button", { name: "Filters" }).click();
      const sheet = page.getByRole("dialog", { name: "Filters" });
      await sheet.getByLabel("Action").selectOption("Keys generated");
      await sheet.getByLabel("From").fill("2001-01-01");
      await sheet.getByLabel("Who did it").fill("night.owl");
      await page.waitForURL(/actor=night\.owl/);
      await settled(page);
      expect(await accessProblems(page)).toEqual([]);
      await sheet.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Filters 3 set" }).waitFor();
      await page.getByText("3 keys, FREE FIRE, 5 days, 2 devices, 1.5 credits").waitFor();
      expect(new URL(page.url()).search).toBe("?action=keys_generated&from=2001-01-01&actor=night.owl");
    },
    "phone",
  ));

test("on a phone a row is a card that shows all texts in full", () =>
  walk(
    "phone",
    async (page) => {
      await settled(page);
      expect(await layoutShift(page)).toBe(0);
      await admin.post("/api/admin/online-updates", { title: "W".repeat(99), message: "m" });
      await page.reload();
      await settled(page);
      await page.getByText(`“${"W".repeat(99)}”`).waitFor();
      expect(await overflowPixels(page)).toBe(0);
      expect(await accessProblems(page)).toEqual([]);
    },
    "phone",
  ));
