import { beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, settled, sizes } from "./visit.ts";

const stage = openStage();
const phone = { viewport: sizes.phone, isMobile: true, hasTouch: true };
let admin: Client;
let owl: ResellerClient;
let key: { id: number; keyString: string };

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  owl = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 50 });
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 2 };
  key = (await owl.post("/api/reseller/keys/generate", order)).body.keys[0];
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
