import { beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, settled, sizes } from "./visit.ts";

const stage = openStage({ REFUND_DAYS: "7" });
const phone = { viewport: sizes.phone, isMobile: true, hasTouch: true };
let admin: Client;
let owl: ResellerClient;
let key: { id: number; keyString: string };
let unused: typeof key;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  owl = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 50 });
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 2 };
  [key, unused] = (await owl.post("/api/reseller/keys/generate", order)).body.keys;
  const note = "Ana and her brother at the harbour. ".repeat(6).slice(0, 200).trim();
  await owl.call("PUT", `/api/reseller/keys/${key.id}/note`, { note });
  for (const deviceId of ["phone-one", "phone-two"])
    await stage.newClient().post("/api/verify", { key: key.keyString, deviceId, game: "FREE FIRE" });
});

const login = () => ({ username: owl.username, password: "test-reseller-password" });

test("on a phone the first Remove is on the first screen, also below a note of 200 characters", () =>
  stage.visit(
    "key on a phone",
    async ({ page }) => {
      await signIn(page, "reseller", login());
      await page.goto(`/reseller/keys/${key.id}`);
      await settled(page);
      const remove = page.getByRole("button", { name: "Remove Device phone-one" });
      const place = await remove.boundingBox();
      const bar = await page.getByRole("navigation", { name: "Main" }).boundingBox();
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      await remove.tap();
      await page.getByText("Works. 1 of 2 devices connected.").waitFor();
    },
    phone,
  ));

test("on a phone a key is extended, put on more devices, paused, resumed and revoked for a refund", () =>
  stage.visit(
    "time of a key",
    async ({ page }) => {
      await signIn(page, "reseller", login());
      await page.goto(`/reseller/keys/${unused.id}`);
      await settled(page);
      await page.getByRole("button", { name: "Extend" }).tap();
      const extension = page.getByRole("dialog", { name: "Extend Key" });
      await extension.getByText("3 credits", { exact: true }).waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await extension.getByRole("button", { name: "Extend" }).tap();
      await page.getByText("30 days added by night.owl").waitFor();

      const choose = async (item: string) => {
        await page.getByRole("button", { name: "More" }).tap();
        await page.getByRole("menuitem", { name: item }).tap();
      };
      await choose("Change device limit");
      const limit = page.getByRole("dialog", { name: "Device Limit" });
      await limit.getByLabel("Device Limit").selectOption("Unlimited");
      await limit.getByText("Free", { exact: true }).waitFor();
      await limit.getByRole("button", { name: "Change Limit" }).tap();
      await page.getByText("Device limit changed to Unlimited by night.owl").waitFor();

      await choose("Pause");
      const question = page.getByRole("alertdialog", { name: "Pause Key" });
      expect(await accessProblems(page)).toEqual([]);
      await question.getByRole("button", { name: "Pause Key" }).tap();
      await page.getByText("Paused by night.owl").waitFor();
      const device = { key: unused.keyString, deviceId: "phone", game: "FREE FIRE" };
      expect((await stage.newClient().post("/api/verify", device)).body.code).toBe("PAUSED");
      await choose("Resume");
      await page.getByText("Resumed by night.owl").waitFor();

      await page.getByRole("button", { name: "Revoke" }).tap();
      await page.getByText("6 credits will be refunded").waitFor();
      await page.getByRole("button", { name: "Revoke Key" }).tap();
      await toast(page, "The key has been successfully revoked. 6 credits refunded");
      await page.goto("/reseller/credits");
      await page.getByRole("row").filter({ hasText: "Key refunded" }).getByText("+6").waitFor();
      await page.getByRole("link", { name: "View key" }).first().tap();
      await page.waitForURL(`**/reseller/keys/${unused.id}`);
    },
    phone,
  ));

test("an admin's list of a reseller's keys leads to a key, and Back to the list as it was left", () =>
  stage.visitAsAdmin("key and back", `/admin/resellers/${owl.id}/keys?game=FREE+FIRE`, async (page) => {
    await page.getByRole("link", { name: key.keyString }).click();
    await page.waitForURL(`**/admin/keys/${key.id}`);
    await page.getByRole("heading", { level: 1, name: key.keyString }).waitFor();
    await page.waitForFunction((text) => document.title.includes(text), key.keyString.slice(-5));
    await page.getByRole("link", { name: "Back", exact: true }).click();
    await page.waitForURL(`**/admin/resellers/${owl.id}/keys?game=FREE+FIRE`);
    await awake(page);
    await page.goForward();
    await page.waitForFunction((text) => document.title.includes(text), key.keyString.slice(-5));
  }));

test("a key that search found is revoked on its page, and the focus stays there", () =>
  stage.visit("key revoked", async ({ page }) => {
    await signIn(page, "reseller", login());
    await page.goto("/reseller");
    await awake(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill(key.keyString.slice(-5));
    await page.getByRole("option", { name: key.keyString }).click();
    await page.waitForURL(`**/reseller/keys/${key.id}`);
    await page.getByRole("button", { name: "Revoke" }).click();
    const question = page.getByRole("alertdialog", { name: "Revoke License Key" });
    await question.getByRole("button", { name: "Revoke Key" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByText("Refused on every device: it was revoked.").waitFor();
    await page.getByText("REVOKED", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
    await page.waitForFunction(() => document.activeElement?.closest("#content section"));
  }));
