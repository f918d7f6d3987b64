import { beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, sizes } from "./visit.ts";

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
