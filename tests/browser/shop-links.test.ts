import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { presets } from "../../src/shop-links/shop-link-form.ts";
import { registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, withClipboard } from "./clipboard.ts";
import { closeDialog, toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, lowTargets, overflowPixels, resize, settled, sizes } from "./visit.ts";

const stage = openStage();
const password = "test-reseller-password";

/** What the shop sends. */
function shopOf(address: string, secret: string, { header, algorithm } = presets.other.signature) {
  return (body: object) => {
    const text = JSON.stringify(body);
    const signature = createHmac(algorithm, secret).update(text).digest("hex");
    const path = new URL(address).pathname;
    return stage.newClient().post(path, text, { [header]: signature });
  };
}

test("on a phone, a reseller links a shop, sees its sales come in, and finds the order by the sale's id", async () => {
  const username = "has.a.shop";
  await registerReseller(stage.newClient, await signInAdmin(stage.newClient), { username, credits: 20 });
  await stage.visit(
    "shop links",
    async ({ page }) => {
      await signIn(page, "reseller", { username, password });
      await page.goto("/reseller/account");
      await settled(page);
      await page.getByRole("main").getByRole("link", { name: "Shop Links" }).click();
      await page.waitForURL("**/reseller/shop-links");
      await page.getByText("No shop links yet").waitFor();
      await awake(page);
      const dialog = page.getByRole("dialog");

      // A link for a shop that is no preset, with a secret that is shown once.
      await page.getByRole("button", { name: "New Shop Link" }).click();
      await dialog.getByLabel("Shop", { exact: true }).selectOption("other");
      await dialog.getByLabel("Name").fill("Gold keys");
      await dialog.getByLabel("Game").selectOption("FREE FIRE");
      await dialog.getByLabel("Duration").selectOption({ index: 1 });
      await dialog.getByLabel("Sale ID").fill("order, line");
      await dialog.getByLabel("Quantity").fill("count");
      await dialog.getByLabel("Your Password", { exact: true }).fill(password);
      await resize(page, 320, 700);
      expect([await overflowPixels(page), await accessProblems(page)]).toEqual([0, []]);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog", { name: "Gold keys" }).waitFor();
      const copied = async (name: string) => {
        await dialog.getByRole("button", { name: `Copy ${name}` }).click();
        await dialog.getByRole("button", { name: "Copied" }).waitFor();
        return clipboard(page);
      };
      const address = await copied("address");
      await dialog.getByRole("button", { name: "Copy address" }).waitFor();
      const sell = shopOf(address, await copied("secret"));
      await page.getByText("Waiting for the first sale").waitFor();
      expect([await overflowPixels(page), await accessProblems(page)]).toEqual([0, []]);

      // Sales come in while the dialog is open: first one that lacks something, then one that is delivered.
      expect((await sell({ order: "A-77", line: 1 })).status).toBe(422);
      await dialog.getByText("Refused").waitFor();
      await dialog.getByText(/count.* \(422 INVALID\)/).waitFor();
      const sold = await sell({ order: "A-77", line: 1, count: 2 });
      expect([sold.status, sold.text.split("\n").length]).toEqual([200, 2]);
      await dialog.getByText("Delivered").waitFor();
      expect(await dialog.getByText("Have your shop call this address").count()).toBe(0);
      expect([await overflowPixels(page), await accessProblems(page)]).toEqual([0, []]);
      await closeDialog(page, "I've saved it");
      await page.getByText(/^Sold/).waitFor();
      expect([await overflowPixels(page), await lowTargets(page), await accessProblems(page)]).toEqual([0, [], []]);

      // A new secret refuses the old one at once, a switch-off any.
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "New Secret" }).click();
      await dialog.getByLabel("Your Password", { exact: true }).fill(password);
      await page.getByRole("button", { name: "Save" }).click();
      await dialog.getByText("Secret", { exact: true }).waitFor();
      const sellAgain = shopOf(address, await copied("secret"));
      expect((await sell({ order: "A-78", line: 1, count: 1 })).status).toBe(401);
      expect((await sellAgain({ order: "A-77", line: 1, count: 2 })).text).toBe(sold.text);
      await closeDialog(page, "I've saved it");
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Switch Off" }).click();
      await toast(page, "Gold keys is switched off");
      expect((await sellAgain({ order: "A-77", line: 1, count: 2 })).status).toBe(404);

      // The search finds the order by the sale's id, and the order names the link.
      await page.goto("/reseller");
      await awake(page);
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox").fill("a-77");
      await page.getByText("Sale A-77:1").click();
      await page.waitForURL("**/reseller/orders/*");
      await page.getByText("Sale in Gold keys").waitFor();
      await page.getByText("A-77:1").waitFor();
      await page.goto("/reseller/shop-links");
      await awake(page);
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete Shop Link" }).click();
      await page.getByText("No shop links yet").waitFor();
    },
    { ...withClipboard, viewport: sizes.phone, isMobile: true, hasTouch: true },
  );
});
