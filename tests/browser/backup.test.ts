import { expect, test } from "bun:test";
import { strFromU8, unzipSync } from "fflate";
import type { Download, Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { downloadedBy } from "./clipboard.ts";
import { adminLogin } from "./latchkey.ts";
import { toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, sizes } from "./visit.ts";

const listCall = "**/api/admin/backup/collections";

const stage = openStage();

async function open(page: Page) {
  await signIn(page, "admin", adminLogin);
  await page.goto("/admin/database-backup");
  await awake(page);
}

async function contentOf(download: Download): Promise<Uint8Array> {
  return Bun.file(await download.path()).bytes();
}

test("the list's headings never cover its first row; cards are 16 px apart, and their texts are aligned", () =>
  stage.visit(
    "backup headings",
    async ({ page }) => {
      await open(page);
      const gaps = await page.locator("main").evaluate((main) => {
        const [archive] = [...main.querySelectorAll("h2")].filter((title) => title.textContent === "Complete Archive");
        // From the list of full backups on, all parts are in one that is hidden until that list is known.
        const below = archive?.closest(".bg-card")?.parentElement;
        const parts = [...(below?.parentElement?.children ?? [])]
          .slice(1)
          .flatMap((part) => (part === below ? [...part.children] : [part]));
        const boxes = parts.map((part) => part.getBoundingClientRect());
        return boxes.slice(1).map(({ top }, index) => top - (boxes[index]?.bottom ?? 0));
      });
      expect(gaps).toEqual([16, 16, 16, 16, 16]);
      const status = await page.getByRole("status").filter({ hasText: "No good backup yet" }).boundingBox();
      const description = await page.getByText("Complete copies for restoring").boundingBox();
      expect(status?.x).toBe(description?.x ?? 0);
      const first = await page.getByRole("row", { name: /admins/ }).boundingBox();
      const headings = await page.locator("thead").first().boundingBox();
      expect((headings?.y ?? 0) + (headings?.height ?? 0)).toBeLessThanOrEqual((first?.y ?? 0) + 1);
    },
    { viewport: sizes.tablet },
  ));

test("a collection downloads by keyboard under its name, without secrets", () =>
  stage.visit("backup collection", async ({ page }) => {
    await open(page);
    const download = await downloadedBy(page.getByRole("button", { name: "Download admins" }));
    await toast(page, "admins downloaded successfully");
    expect(download.suggestedFilename()).toBe("admins.json");
    const rows = JSON.parse(strFromU8(await contentOf(download)));
    expect(rows).toEqual([
      { id: 1, username: "admin", createdAt: expect.stringMatching(/^\d{4}-.*Z$/), removedAt: null },
    ]);
  }));

test("the complete archive opens and matches its manifest's counts", () =>
  stage.visit("backup archive", async ({ page }) => {
    await open(page);
    const download = await downloadedBy(page.getByRole("button", { name: "Download All" }));
    await toast(page, "Complete backup archive downloaded successfully");
    expect(download.suggestedFilename()).toMatch(/^latchkey-backup-[\dTZ-]+\.zip$/);
    const files = unzipSync(await contentOf(download));
    const manifest = JSON.parse(strFromU8(files["manifest.json"] as Uint8Array));
    expect(manifest.collections.length).toBe(Object.keys(files).length - 1);
    for (const { file, count, sha256 } of manifest.collections) {
      const content = files[file] as Uint8Array;
      expect([file, JSON.parse(strFromU8(content)).length]).toEqual([file, count]);
      expect(new Bun.CryptoHasher("sha256").update(content).digest("hex")).toBe(sha256);
    }
  }));

test("a full backup can be started and appears in the list", () =>
  stage.visit("backup made", async ({ page }) => {
    await open(page);
    await page.getByText("No Backups Yet").waitFor();
    await page.getByRole("button", { name: "Back Up Now" }).press("Enter");
    await toast(page, "Backup made and checked");
    await page.getByRole("row", { name: /latchkey-.*\.db\.zst/ }).waitFor();
    expect(await page.getByRole("status").getByText("Last good backup").count()).toBe(1);
    expect(await accessProblems(page)).toEqual([]);
  }));

test("a list that fails shows an error and loads on Retry; an empty one hints at the connection", () =>
  stage.visit(
    "backup failures",
    async ({ page }) => {
      await page.route(listCall, (route) => route.fulfill({ status: 500, body: "broken" }));
      await open(page);
      await page.getByRole("alert").getByText("Failed to fetch MongoDB collections").waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await page.unroute(listCall);
      await page.getByRole("button", { name: "Retry" }).press("Enter");
      await page.getByText("license_keys").waitFor();
      await page.route(listCall, (route) => route.fulfill({ json: [] }));
      await page.getByRole("button", { name: "Refresh" }).press("Enter");
      await page.getByText("No Collections Found", { exact: true }).waitFor();
      expect(await accessProblems(page)).toEqual([]);
    },
    { expected: /status of 500/ },
  ));

test("failed downloads show the screen's own messages", () =>
  stage.visit(
    "backup download failures",
    async ({ page }) => {
      await page.route("**/api/admin/backup/download**", (route) => route.fulfill({ status: 500, body: "broken" }));
      await page.route("**/api/admin/backup/download/**", (route) => route.fulfill({ status: 500, body: "broken" }));
      await open(page);
      await page.getByRole("button", { name: "Download admins" }).press("Enter");
      await toast(page, "Failed to download file");
      await page.getByRole("button", { name: "Download All" }).press("Enter");
      await toast(page, "Failed to download backup archive");
    },
    { expected: /status of 500/ },
  ));
