import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { overflowPixels } from "./visit.ts";

const stage = openStage();

async function fits(page: Page) {
  expect(await overflowPixels(page)).toBe(0);
  expect(await accessProblems(page)).toEqual([]);
}

const file = `Serial No.,Title,Until,Max Devices,HWID
OLD-KEY-1,FREE FIRE,2099-01-01,2,phone
OLD-KEY-2,FREE FIRE,2099-01-01,1,
OLD-KEY-3,FREE FIRE,never,1,
`;

test("on a phone a file's columns are mapped, its keys are imported, verify at once, and are undone", async () => {
  const admin = await signInAdmin(stage.newClient);
  const verify = async (deviceId: string) => {
    const key = { key: "old-key-1", deviceId, game: "FREE FIRE" };
    return (await stage.newClient().post("/api/verify", key)).body.code;
  };
  await stage.visitAsAdmin(
    "import phone",
    "/admin/database-backup",
    async (page) => {
      // On a slow phone the file is chosen before the page's scripts have come.
      const chosen = Promise.withResolvers<void>();
      const scripts = /\/assets\/import-.*\.js$/;
      await page.route(scripts, async (route) => {
        await chosen.promise;
        await route.continue();
      });
      await page.getByRole("link", { name: "Import Keys" }).tap();
      const input = page.getByLabel(/^Choose or drop a file/);
      await input.setInputFiles({ name: "keys.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
      chosen.resolve();
      await page.getByText("No column is named key.").waitFor();
      await page.getByLabel("Serial No.").selectOption("License key");
      await page.getByLabel("Title").selectOption("Game");
      await page.getByLabel("Until").selectOption("Expires");
      await page.getByText("1 / 2").waitFor();
      await fits(page);
      await page.getByRole("button", { name: "Check File" }).tap();
      const start = page.getByRole("button", { name: "Import 2 keys, leave out 1" });
      await start.waitFor();
      await page.getByRole("row", { name: "1 line: expires must be a date" }).waitFor();
      await fits(page);
      expect((await admin.get("/api/admin/keys/manage")).body.totalCount).toBe(0);
      // A press right after the check could be the second one of a double press, and starts nothing.
      while (await start.isVisible()) await start.tap({ timeout: 1_000 }).catch(() => {});
      await page.getByText("Finished: 3 lines.").waitFor();
      expect(await verify("phone")).toBe("VALID");
      await fits(page);
      const report = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download Report" }).tap();
      expect((await report).suggestedFilename()).toMatch(/^latchkey-import-\d+\.csv$/);

      await page.reload();
      await page.getByRole("button", { name: "Undo Import" }).tap();
      await fits(page);
      await page.getByRole("alertdialog").getByRole("button", { name: "Undo Import" }).tap();
      await toast(page, "2 keys deleted");
      await page.getByText("Undone: its keys were deleted.").waitFor();
      expect(await verify("phone")).toBe("NOT_FOUND");
    },
    { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  );
});

const otherFile = `License,Title,Until,Reseller
${Array.from({ length: 6 }, (_, index) => `MOVED-${index},${index < 4 ? "PUBG" : "FreeFire"},31.12.2099,${index === 5 ? "Owl" : ""}`).join("\n")}
`;

test("unknown games, resellers and a German date are mended where they are counted, and the import is found again", async () => {
  const admin = await signInAdmin(stage.newClient);
  const reseller = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 5 });
  await stage.visitAsAdmin("import causes", "/admin/import", async (page) => {
    await page
      .getByLabel(/^Choose or drop a file/)
      .setInputFiles({ name: "other panel.csv", mimeType: "text/csv", buffer: Buffer.from(otherFile) });
    await page.getByRole("button", { name: "2 columns not imported" }).click();
    await page.getByLabel("Title").selectOption("Game");
    await page.getByLabel("Until").selectOption("Expires");
    await page.getByRole("button", { name: "Check File" }).click();
    const causes = page.getByRole("table", { name: "Causes" });
    await causes.getByRole("row", { name: "6 lines: expires must be a date" }).waitFor();
    await causes.getByRole("combobox").selectOption("Day first: 31.12.2026");
    await causes.getByRole("row", { name: "4 lines: there is no game PUBG" }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await causes.getByRole("combobox", { name: "There is no game PUBG." }).selectOption("PUBG MOBILE");
    await causes.getByRole("combobox", { name: "There is no game FreeFire." }).selectOption("FREE FIRE");
    await causes.getByRole("combobox", { name: "There is no reseller Owl." }).selectOption("night.owl");
    const start = page.getByRole("button", { name: "Import 6 keys" });
    await start.waitFor();
    // As above, a press right after the check starts nothing.
    while (await start.isVisible()) await start.click({ timeout: 1_000 }).catch(() => {});
    await page.getByText("Finished: 6 lines.").waitFor();
    await page.getByRole("link", { name: /^#/ }).last().click();
    await page.getByRole("link", { name: /^Import \d+$/ }).click();
    await page.getByRole("button", { name: "Import Another File" }).click();
    const row = page.getByRole("row", { name: "other panel.csv" });
    await row.getByText("6 keys", { exact: true }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await row.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Undo Import" }).click();
    await row.getByText("Undone").waitFor();
  });
  expect((await reseller.get("/api/reseller/orders")).body).toMatchObject([{ count: 0, undoneAt: expect.any(String) }]);
});
