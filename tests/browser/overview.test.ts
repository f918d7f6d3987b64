import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, layoutShift, overflowPixels, settled, sizes, type VisitOptions } from "./visit.ts";

const phone: VisitOptions = { viewport: sizes.phone, isMobile: true, hasTouch: true };
const cardPixelsMax = 104;

const stage = openStage();
let admin: Client;
let seller: ResellerClient;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

const steps = (page: Page) => page.getByRole("list", { name: "Get started" }).getByRole("listitem");
const charts = (page: Page) => page.getByRole("slider", { name: /, by day/ });

test("a new panel guides through four steps, which are done by doing them or gone once dismissed", async () => {
  await stage.visitAsAdmin(
    "first steps",
    "/admin",
    async (page) => {
      expect(await steps(page).allTextContents()).toEqual([
        "Make a keyAdmin keys are free.",
        "Invite a resellerWith a link or a QR code.",
        "Verify from your gameThe code is ready to copy.",
        "Turn on backupsSet BACKUP_SCHEDULE, or back up now.",
      ]);
      await settled(page);
      expect([await page.getByText("Needs attention.").count(), await charts(page).count()]).toEqual([0, 0]);
      expect([await layoutShift(page), await accessProblems(page)]).toEqual([0, []]);

      await page.getByRole("link", { name: "Invite a reseller" }).tap();
      await page.getByRole("dialog").waitFor();

      seller = await registerReseller(stage.newClient, admin, {
        username: "seller_with_the_longest_name_yet",
        credits: 9,
      });
      const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 2 };
      const { keys } = (await seller.post("/api/reseller/keys/generate", order)).body;
      for (const deviceId of ["phone", "tablet"]) {
        await stage.newClient().post("/api/verify", { key: keys[0].keyString, game: "FREE FIRE", deviceId });
      }
      await page.goto("/admin");
      await page.getByText(/^[23] of 4 done$/).waitFor();

      await page.getByRole("button", { name: "Dismiss" }).click();
      await page.getByText("Needs attention.").waitFor();
      await page.reload();
      await awake(page);
      await page.getByText("Needs attention.").waitFor();
      await settled(page);
      expect([await steps(page).count(), await layoutShift(page)]).toEqual([0, 0]);
    },
    phone,
  );

  await stage.visitAsAdmin("last steps", "/admin", async (page) => {
    await page.getByText("Turn on backups").waitFor();
    await admin.post("/api/admin/backup/backups");
    // Someone who comes back from the game sees the step done. Verdicts are written every five seconds.
    await page.waitForFunction(
      () => {
        window.dispatchEvent(new Event("visibilitychange"));
        return !document.querySelector("ol");
      },
      null,
      { polling: 500 },
    );
    await page.getByText("All is well.").waitFor();
    await charts(page).first().waitFor();
    await page.reload();
    await settled(page);
    expect([await steps(page).count(), await layoutShift(page)]).toEqual([0, 0]);
  });
});

test("on a phone, whether all is well is on the first screen, and charts show their values", () =>
  stage.visitAsAdmin(
    "overview phone",
    "/admin",
    async (page) => {
      await charts(page).first().waitFor();
      await settled(page);
      expect(await layoutShift(page)).toBe(0);
      for (const width of [320, sizes.phone.width]) {
        await page.setViewportSize({ ...sizes.phone, width });
        expect(await overflowPixels(page)).toBe(0);
        for (const card of await page.locator("dl > div").all()) {
          expect((await card.boundingBox())?.height).toBeLessThanOrEqual(cardPixelsMax);
        }
      }
      const condition = await page.getByText("All is well.").boundingBox();
      const bar = await page.getByRole("navigation").filter({ visible: true }).boundingBox();
      expect((condition?.y ?? Number.NaN) + (condition?.height ?? 0)).toBeLessThan(bar?.y ?? 0);

      // Above Recent Activity, and as high as a scale needs.
      const [chartTop, activityTop] = await Promise.all(
        [charts(page).first(), page.getByRole("heading", { name: "Recent Activity" })].map(
          async (part) => (await part.boundingBox())?.y ?? 0,
        ),
      );
      expect(chartTop).toBeLessThan(activityTop ?? 0);
      const best = page.getByRole("region", { name: "Top Resellers" }).getByRole("link");
      expect(await best.textContent()).toBe("seller_with_the_longest_name_yet1 credit · 2 keys");

      const refused = page.getByRole("figure").filter({ hasText: "Verifications" });
      const caption = refused.locator("figcaption");
      expect(await caption.textContent()).toBe("Verifications2");
      const firstDay = async () =>
        (await refused
          .getByText(/\d{4}$/)
          .first()
          .textContent()) ?? "";
      const monthAgo = await firstDay();
      await page.getByRole("tab", { name: "7 days" }).tap();
      await page.getByRole("heading", { name: "The last 7 days" }).waitFor();
      expect(await firstDay()).not.toBe(monthAgo);
      await page.getByRole("tab", { name: "90 days" }).tap();
      await page.getByRole("heading", { name: "The last 90 days" }).waitFor();

      const chart = refused.getByRole("slider");
      const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {};
      await chart.tap({ position: { x: width - 2, y: height / 2 } });
      expect(height).toBeGreaterThanOrEqual(160);
      const lines = chart.getByText(/^[A-Z][a-z]{2} \d\d, \d{4}$|^Accepted$|^Device limit or blocked$/);
      expect(await lines.allTextContents()).toEqual([expect.any(String), "Device limit or blocked", "Accepted"]);
      const boxes = await Promise.all([chart, lines.first().locator("../..")].map((part) => part.boundingBox()));
      expect((boxes[1]?.x ?? 0) >= (boxes[0]?.x ?? 0)).toBeTrue();
      const textAt = () => chart.getAttribute("aria-valuetext");
      const lastDay = await textAt();
      await chart.press("ArrowLeft");
      expect(await textAt()).toMatch(/: 0$/);
      await chart.press("End");
      expect(await textAt()).toBe(lastDay);
      await page.getByRole("heading", { level: 1 }).tap();
      expect(await lines.count()).toBe(0);

      await page.getByRole("button", { name: "Show as table" }).tap();
      const table = page.getByRole("table");
      expect(await table.getByRole("row").count()).toBe(1 + 1 + 90);
      expect([await charts(page).count(), await overflowPixels(page), await accessProblems(page)]).toEqual([0, 0, []]);
      await page.reload();
      await table.waitFor();
      await page.getByRole("button", { name: "Show as charts" }).tap();
      await charts(page).first().waitFor();
    },
    phone,
  ));

test("a reseller has the same ranges, charts and table, without unknown keys", () =>
  stage.visit(
    "dashboard phone",
    async ({ page }) => {
      const [name = "", value = ""] = seller.cookie().split("=");
      await page.context().addCookies([{ name, value, url: stage.latchkey.url }]);
      await page.goto("/reseller?days=90");
      await page.getByRole("heading", { name: "The last 90 days" }).waitFor();
      await charts(page).first().waitFor();
      expect(await charts(page).evaluateAll((all) => all.map((chart) => chart.getAttribute("aria-label")))).toEqual([
        expect.stringMatching(/^Keys made, by day\. 2 in total/),
        expect.stringMatching(/^Verifications, by day\. 2 in total/),
      ]);
      await page.getByRole("tab", { name: "7 days" }).tap();
      await page.getByRole("heading", { name: "The last 7 days" }).waitFor();
      await page.getByRole("button", { name: "Show as table" }).tap();
      expect(await page.getByRole("columnheader").allTextContents()).not.toContain("Verifications: Unknown key");
      expect(await page.getByRole("table").getByRole("row").count()).toBe(1 + 1 + 7);
    },
    phone,
  ));

test("a paused game is a line for admins and its resellers until it is resumed there, and nothing moves", async () => {
  const order = { game: "PUBG MOBILE", deviceLimit: 1, days: 5, count: 2 };
  const { keys } = (await seller.post("/api/reseller/keys/generate", order)).body;
  await stage.visitAsAdmin("pause", "/admin/interventions", async (page) => {
    await page.getByRole("button", { name: "New Intervention" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("What to Do").selectOption("Pause");
    await dialog.getByLabel("Keys", { exact: true }).selectOption("Of a game");
    await dialog.getByLabel("Game").selectOption("PUBG MOBILE");
    await dialog.getByLabel("Reason").fill("Servers move");
    await dialog.getByLabel("What resellers read (optional)").fill("Back at 18:00.");
    await dialog.getByRole("button", { name: "Count Keys" }).click();
    const pause = dialog.getByRole("button", { name: "Pause 2 keys" });
    await pause.waitFor();
    // A press right after the count starts nothing.
    while (await pause.isVisible()) await pause.click({ timeout: 1_000 }).catch(() => {});
    await page.getByRole("button", { name: "Resume 2 keys" }).waitFor();
    await page.getByRole("row", { name: "Servers move" }).getByText("Paused", { exact: true }).waitFor();
    expect([await overflowPixels(page), await accessProblems(page)]).toEqual([0, []]);
  });
  const line = (page: Page) => page.getByRole("listitem").filter({ hasText: "2 PUBG MOBILE keys paused since" });
  await stage.visit(
    "pause of a reseller",
    async ({ page }) => {
      await signIn(page, "reseller", { username: seller.username, password: "test-reseller-password" });
      await page.goto("/reseller");
      await line(page).getByText("Back at 18:00.").waitFor();
      await settled(page);
      expect([await layoutShift(page), await overflowPixels(page), await accessProblems(page)]).toEqual([0, 0, []]);
      await page.goto(`/reseller/keys/${keys[0].id}`);
      await page.getByText("Back at 18:00.").waitFor();
    },
    phone,
  );
  await stage.visitAsAdmin(
    "resume",
    "/admin",
    async (page) => {
      await line(page).getByText("Back at 18:00.").waitFor();
      await page.getByRole("button", { name: "Resume 2 keys" }).waitFor();
      await settled(page);
      expect([await layoutShift(page), await overflowPixels(page), await accessProblems(page)]).toEqual([0, 0, []]);
      await page.getByRole("button", { name: "Resume 2 keys" }).tap();
      await line(page).waitFor({ state: "detached" });
    },
    { ...phone, viewport: { width: 320, height: 700 } },
  );
});
