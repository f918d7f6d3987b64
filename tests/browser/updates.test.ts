import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { rowsPerPage } from "../../islands/api/paged-rows.ts";
import { type Client, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { focused, focusInside, tabTo } from "./keyboard.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { layoutShift, sizes } from "./visit.ts";

const stage = openStage();
let admin: Client;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
});

const walk = (name: string, go: (page: Page) => Promise<void>, size: keyof typeof sizes = "desktop") =>
  stage.visitAsAdmin(`updates ${name}`, "/admin/online-updates", go, {
    viewport: sizes[size],
    expected: /status of 500/,
  });
const cardOf = (page: Page, title: string) => page.getByRole("listitem").filter({ hasText: title });
const published = async () => (await stage.newClient().get("/api/updates")).body as { title: string }[];

test("with the keyboard alone, the first update is created, and apps receive it", () =>
  walk("first", async (page) => {
    await page.getByText("No updates yet", { exact: true }).waitFor();
    await page.getByText("GET /api/updates", { exact: true }).waitFor();
    expect(await layoutShift(page)).toBe(0);
    expect(await accessProblems(page)).toEqual([]);
    await tabTo(page, page.getByRole("button", { name: "Create First Update" }));
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Create Update" });
    await focused(dialog.getByLabel("Title"));
    await page.keyboard.press("Enter");
    await dialog.getByText("Title is required").waitFor();
    await dialog.getByText("Message is required").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.keyboard.type('Say "hello"');
    await page.keyboard.press("Tab");
    await page.keyboard.type("To <b>everybody</b>");
    await dialog.getByText("19/500", { exact: true }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("Read more");
    await page.keyboard.press("Enter");
    await dialog.getByText("Link URL is required when button text is provided").waitFor();
    await focused(dialog.getByLabel("Link URL"));
    await page.keyboard.type("javascript:alert(1)");
    await page.keyboard.press("Enter");
    await dialog.getByText("Please enter a valid URL").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("https://example.com/news");
    await page.keyboard.press("Enter");
    await toast(page, "Update created successfully!");
    await dialog.waitFor({ state: "detached" });
    const card = cardOf(page, 'Say "hello"');
    await card.getByText("To <b>everybody</b>", { exact: true }).waitFor();
    await card.getByText("Active", { exact: true }).waitFor();
    expect(await card.getByRole("link").getAttribute("href")).toBe("https://example.com/news");
    expect(await card.getByText("Updated").count()).toBe(0);
    expect(await published()).toMatchObject([{ title: 'Say "hello"' }]);
  }));

test("an edited update shows its time, and an inactive one is not sent to apps", async () => {
  await admin.post("/api/admin/online-updates", { title: "To edit", message: "Before" });
  await walk("edit", async (page) => {
    const card = cardOf(page, "To edit");
    await card.getByRole("button", { name: "Edit To edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Update" });
    await dialog.getByLabel("Message").fill("After");
    await dialog.getByLabel("Active").uncheck();
    await dialog.getByRole("button", { name: "Save Changes" }).click();
    await toast(page, "Update saved successfully!");
    await card.getByText("After", { exact: true }).waitFor();
    await card.getByText("Inactive", { exact: true }).waitFor();
    await card.getByText(/Updated \d\d\/\d\d\/\d{4}/).waitFor();
    expect((await published()).map(({ title }) => title)).not.toContain("To edit");
  });
});

for (const size of ["tablet", "phone"] as const) {
  test(`on a ${size} an update is deleted after a confirmation with its title`, async () => {
    const title = `To delete on a ${size}`;
    await admin.post("/api/admin/online-updates", { title, message: "Soon gone" });
    await walk(
      size,
      async (page) => {
        await cardOf(page, title)
          .getByRole("button", { name: `Delete ${title}` })
          .click();
        const question = page.getByRole("alertdialog", { name: "Delete Update" });
        await question.getByText(`Are you sure you want to delete "${title}"?`, { exact: true }).waitFor();
        expect(await accessProblems(page)).toEqual([]);
        await focusInside(question);
        await page.keyboard.press("Escape");
        await question.waitFor({ state: "detached" });
        await cardOf(page, title)
          .getByRole("button", { name: `Delete ${title}` })
          .click();
        await question.getByRole("button", { name: "Delete" }).click();
        await toast(page, "Update deleted successfully!");
        await cardOf(page, title).waitFor({ state: "detached" });
        expect((await published()).map((update) => update.title)).not.toContain(title);
        await page.getByRole("main").getByRole("button", { name: "Create Update" }).click();
        await focusInside(page.getByRole("dialog"));
        expect(await accessProblems(page)).toEqual([]);
      },
      size,
    );
  });
}

test("a failed list can be retried, and a failed save keeps the input", () =>
  walk("failure", async (page) => {
    await page.route("**/api/admin/online-updates**", (route) => route.fulfill({ status: 500, body: "" }));
    await page.reload();
    await page.getByText("500: Internal Server Error").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Create Update" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill("Kept");
    await dialog.getByLabel("Message").fill("Kept too");
    await dialog.getByRole("button", { name: "Create Update" }).click();
    await toast(page, "Failed to create update");
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Kept");
    await page.unrouteAll();
    await dialog.getByRole("button", { name: "Create Update" }).click();
    await cardOf(page, "Kept too").waitFor();
  }));

test("scrolling loads more updates", async () => {
  for (let index = 0; index < rowsPerPage + 5; index += 1) {
    await admin.post("/api/admin/online-updates", {
      title: `Update ${index}`,
      message: "One of many",
      isActive: false,
    });
  }
  await walk("many", async (page) => {
    await cardOf(page, `Update ${rowsPerPage + 4}`).waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "One of many" }).count()).toBe(rowsPerPage);
    await page.mouse.wheel(0, 20_000);
    await cardOf(page, "Update 0").waitFor();
  });
});
