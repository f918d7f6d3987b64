import { beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, layoutShift, settled, sizes } from "./visit.ts";

const stage = openStage();
const phone = { viewport: sizes.phone, isMobile: true, hasTouch: true };
let admin: Client;
let owl: ResellerClient;
const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 3 };
let orderId: number;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  owl = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 50 });
  orderId = (await owl.post("/api/reseller/keys/generate", order)).body.orderId;
});

test("on a phone a reseller finds yesterday's batch in three presses, adds a note and revokes its unused keys", () =>
  stage.visit(
    "order of a reseller",
    async ({ page }) => {
      await signIn(page, "reseller", { username: owl.username, password: "test-reseller-password" });
      await page.goto("/reseller");
      await awake(page);
      await page.getByRole("link", { name: "Manage Keys" }).last().tap();
      await page.waitForURL("**/reseller/keys");
      await page.getByRole("link", { name: "Orders", exact: true }).tap();
      await page.waitForURL("**/reseller/orders");
      await page.getByRole("link", { name: `Open order ${orderId}` }).tap();
      await page.waitForURL(`**/reseller/orders/${orderId}`);
      await page.getByText("3 active; 3 keys not used yet").waitFor();

      await page.getByRole("button", { name: "Change note" }).tap();
      await page.getByRole("dialog", { name: "Note" }).getByLabel("Note").fill("For Ana");
      await page.getByRole("button", { name: "Save Note" }).tap();
      await page.getByText("For Ana").waitFor();

      expect(
        await page.getByRole("button", { name: /^(Share|Copy All|More|Revoke Unused)$/ }).allTextContents(),
      ).toEqual(["Share", "Copy All", ""]);
      await page.getByRole("button", { name: "More" }).tap();
      await page.getByRole("menuitem", { name: "Revoke Unused" }).tap();
      const question = page.getByRole("alertdialog", { name: "Revoke Unused Keys" });
      await question.getByRole("textbox").fill("3");
      await question.getByRole("button", { name: "Revoke 3 keys" }).tap();
      await page.getByText("3 revoked").waitFor();
    },
    phone,
  ));

test("on a phone an admin sees in two presses how a reseller used the credits", () =>
  stage.visitAsAdmin(
    "credits of a reseller",
    "/admin",
    async (page) => {
      await page.getByRole("link", { name: "Manage Resellers" }).last().tap();
      await page.waitForURL("**/admin/resellers");
      await page.getByRole("link", { name: owl.username }).tap();
      await page.waitForURL(`**/admin/resellers/${owl.id}`);
      const bought = page
        .getByRole("table", { name: "Credits" })
        .getByRole("row")
        .filter({ hasText: "Keys generated" });
      await bought.waitFor();
      const cells = await bought.getByRole("cell").allTextContents();
      expect(cells.slice(0, 4)).toEqual([
        `Keys generatedOrder ${orderId}`,
        `By${owl.username} ·`,
        "Amount−9",
        "Balance41",
      ]);
    },
    phone,
  ));

test("on a phone a reseller buys an order again and sends its keys in three presses", () =>
  stage.visit(
    "order again",
    async ({ page }) => {
      await signIn(page, "reseller", { username: owl.username, password: "test-reseller-password" });
      await page.goto(`/reseller/orders/${orderId}`);
      await page.getByRole("link", { name: "Buy again" }).tap();
      await page.waitForURL("**/reseller/generate?**");
      await awake(page);
      await page.evaluate(() => {
        Navigator.prototype.share = async ({ text }: ShareData = {}) => {
          document.title = text ?? "";
        };
      });
      await page.getByRole("button", { name: "Generate 3 keys for 9 credits" }).tap();
      await page.getByRole("button", { name: "Share" }).tap();
      await page.waitForFunction(() => document.title.includes("FIRE-"));
      expect((await page.title()).match(/FIRE-/g)).toHaveLength(3);
      const { body: orders } = await owl.get("/api/reseller/orders");
      expect(orders[0]).toMatchObject({ ...order, id: orderId + 1 });
    },
    phone,
  ));

test("the keys of an order are extended on its page in four presses, and in Manage Keys each in its row", () =>
  stage.visit("order extended", async ({ page }) => {
    const { body } = await owl.post("/api/reseller/keys/generate", { ...order, days: 5, count: 10 });
    await signIn(page, "reseller", { username: owl.username, password: "test-reseller-password" });
    await page.goto(`/reseller/orders/${body.orderId}`);
    await settled(page);
    const rows = page.getByRole("table", { name: "Keys" }).locator("tbody tr");
    await rows.first().hover();
    await rows.first().getByRole("checkbox").click();
    const bar = page.getByRole("region", { name: "Selected keys" });
    await bar.getByRole("button", { name: "Extend 1 key" }).waitFor();
    await rows.last().hover();
    await rows
      .last()
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await bar.getByRole("button", { name: "Extend 10 keys" }).click();
    const dialog = page.getByRole("dialog", { name: "Extend Selected Keys" });
    await dialog.getByLabel("Duration").selectOption("5 days (0.5 credits)");
    await dialog.getByText("New expiry").waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Extend 10 keys for 5 credits" }).click();
    await toast(page, "Extended 10 keys successfully");

    await page.getByRole("link", { name: "View in Manage Keys" }).click();
    await page.waitForURL(`**/reseller/keys?order=${body.orderId}`);
    await page.getByText("Showing 10 of 10 keys").waitFor();
    await settled(page);
    await page.setViewportSize({ width: 320, height: 700 });
    const row = page.getByRole("row").filter({ hasText: "ACTIVE" }).first();
    const boxes = await Promise.all(
      ["View", "Extend", "Revoke"].map((name) => row.getByRole("button", { name }).boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    await row.getByRole("button", { name: "Extend" }).click();
    await page.getByRole("button", { name: "Extend for 3 credits" }).click();
    await toast(page, "Key extended successfully");
  }));

test("a reseller's overview extends all keys that expire soon in two presses, and nothing moves as they arrive", () =>
  stage.visit(
    "keys that expire soon",
    async ({ page }) => {
      const { body: duration } = await admin.post("/api/admin/durations", { label: "2 days", hours: 48 });
      const sold = { gameId: 3, deviceLimit: 1, credits: 0.5 };
      const prices = [duration.id, 4].map((durationId) => ({ ...sold, durationId }));
      const { body: list } = await admin.post("/api/admin/price-lists", { name: "Short", prices });
      const lark = await registerReseller(stage.newClient, admin, { username: "day.lark", credits: 50 });
      await admin.call("PUT", `/api/admin/resellers/${lark.id}/price-list`, { priceListId: list.id });
      const short = { game: "FREE FIRE", deviceLimit: 1, durationId: duration.id, count: 7 };
      await lark.post("/api/reseller/keys/generate", short);
      await signIn(page, "reseller", { username: lark.username, password: "test-reseller-password" });
      await page.goto("/reseller");
      await settled(page);
      await page.getByText("2 days left").nth(4).waitFor();
      expect(await layoutShift(page)).toBe(0);
      expect(await accessProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Extend all" }).tap();
      await page.getByRole("button", { name: "Extend 7 keys for 3.5 credits" }).tap();
      await toast(page, "Extended 7 keys successfully");
      await page.getByText("Expiring in 3 days").waitFor({ state: "detached" });
    },
    phone,
  ));
