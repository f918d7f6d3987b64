import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Client, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { openStage } from "./stage.ts";
import { lowTargets, overflowPixels, settled, type VisitOptions } from "./visit.ts";

const stage = openStage();
const phone: VisitOptions = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };

let admin: Client;
beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  await admin.call("PUT", "/api/admin/games/3", { release: { cooldownHours: 1 } });
});

const ask = async (key: string, deviceId: string, deviceName: string) =>
  (await stage.newClient().post("/api/verify", { key, game: "FREE FIRE", deviceId, deviceName })).body.code;

/** A key with both devices taken. */
async function fullKey(): Promise<string> {
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 2, expiryDate, count: 1 };
  const [{ keyString }] = (await admin.post("/api/admin/keys/generate", order)).body.keys;
  await ask(keyString, "phone", "Pixel 8");
  await ask(keyString, "tablet", "Galaxy Tab");
  expect(await ask(keyString, "new", "New phone")).toBe("DEVICE_LIMIT_REACHED");
  return keyString;
}

async function isFine(page: Page) {
  expect(await overflowPixels(page)).toBe(0);
  expect(await accessProblems(page)).toEqual([]);
  expect(await lowTargets(page)).toEqual([]);
}

test("in Portuguese on a phone, a player with a full key frees a device, and the new one connects", async () => {
  const key = await fullKey();
  await stage.visit(
    "player in Portuguese",
    async ({ page }) => {
      await page.goto("/k");
      await settled(page);
      expect(await page.locator("html").getAttribute("lang")).toBe("pt-BR");
      // As chats and phones send it.
      await page.getByLabel("Chave").fill(` \u200e${key.toLowerCase().replaceAll("-", "–")} `);
      await page.getByRole("button", { name: "Consultar" }).tap();
      await page.getByText("Esta chave funciona até").waitFor();
      await page.getByText("Conectados: 2 de 2").waitFor();
      await isFine(page);
      const device = page.getByRole("listitem").filter({ hasText: "Pixel 8" });
      await page.getByText("só será possível liberar outro após 1 hora. No máximo 3 em 30 dias.").waitFor();
      await device.getByRole("button", { name: "Liberar este dispositivo" }).tap();
      await device.getByText("Liberar Pixel 8?").waitFor();
      await isFine(page);
      await device.getByRole("button", { name: "Não" }).tap();
      await device.getByRole("button", { name: "Liberar este dispositivo" }).tap();
      // A press right after the question appeared is ignored, so this presses until the device is freed.
      const freed = page.getByText("O dispositivo foi liberado.");
      for (const yes = device.getByRole("button", { name: "Sim" }); (await yes.count()) > 0; ) {
        await yes.tap({ timeout: 2_000 }).catch(() => {});
        await freed.waitFor({ timeout: 1_000 }).catch(() => {});
      }
      await freed.waitFor();
      await page.getByText(/Você poderá liberar outro dispositivo em (1 hora|60|59)/).waitFor();
      expect(await page.getByRole("button", { name: "Liberar este dispositivo" }).count()).toBe(0);
      await isFine(page);
      expect(page.url()).not.toContain(key.slice(-5));
      expect(
        await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])),
      ).not.toContain(key);
    },
    { ...phone, locale: "pt-PT" },
  );
  expect(await ask(key, "new", "New phone")).toBe("VALID");
});

test("in Arabic without scripts, the page reads from right to left and frees a device too", async () => {
  const key = await fullKey();
  await stage.visit(
    "player in Arabic",
    async ({ page }) => {
      await page.goto("/k?lang=ar");
      expect(await page.locator("html").getAttribute("dir")).toBe("rtl");
      await page.getByLabel("المفتاح").fill(key);
      await page.getByRole("button", { name: "تحقق" }).tap();
      await page.getByText("يعمل هذا المفتاح حتى").waitFor();
      expect(await overflowPixels(page)).toBe(0);
      expect(await page.getByLabel("المفتاح").inputValue()).toBe(key);
      const device = page.getByRole("listitem").filter({ hasText: "Pixel 8" });
      // Names stand on the right and are isolated from the Arabic around them.
      for (const name of [
        page.locator("bdi", { hasText: "FREE FIRE" }),
        device.locator("bdi", { hasText: "Pixel 8" }),
      ]) {
        const [of, line] = await Promise.all([name.boundingBox(), name.locator("..").boundingBox()]);
        expect((of?.x ?? 0) + (of?.width ?? 0)).toBeCloseTo((line?.x ?? 0) + (line?.width ?? 0), 0);
      }
      await device.getByRole("button", { name: /تحرير هذا الجهاز/ }).tap();
      await device.getByText("هل تريد تحرير Pixel 8؟").waitFor();
      await device.getByRole("button", { name: "نعم" }).tap();
      await page.getByText("تم تحرير الجهاز.").waitFor();
      await page.getByText("يمكنك تحرير الجهاز التالي بعد").waitFor();
      expect(new URL(page.url()).pathname).toBe("/k");
      // The key never becomes part of an address, also not by the switch of languages.
      await page.getByText("اللغة: العربية").tap();
      await page.getByRole("link", { name: "Türkçe" }).tap();
      await page.getByRole("heading", { name: "Anahtarınızı kontrol edin" }).waitFor();
      expect(await page.getByLabel("Anahtar").inputValue()).toBe("");
    },
    { ...phone, javaScriptEnabled: false },
  );
  expect(await ask(key, "new", "New phone")).toBe("VALID");
});

test("other keys get one sentence, a short one no devices, and what is no key a hint", async () => {
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 1, keyString: "SHORT-1" };
  await admin.post("/api/admin/keys/generate", order);
  await ask("SHORT-1", "phone", "Pixel 8");
  const waiting = { game: "FREE FIRE", deviceLimit: 100, starts: "first_use", durationHours: 36, count: 1 };
  const [{ keyString }] = (await admin.post("/api/admin/keys/generate", waiting)).body.keys;
  await stage.visit("player in English", async ({ page }) => {
    await page.goto("/k?lang=en");
    await settled(page);
    const check = async (key: string) => {
      await page.getByLabel("Key").fill(key);
      await page.getByRole("button", { name: "Check" }).click();
    };
    await check("FIRE-00000-00000-00000");
    await page.getByText("There is no such key. Please check it for typos.").waitFor();
    await check("short-1");
    await page.getByText("Connected: 1 of 1").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "Pixel" }).count()).toBe(0);
    await page.getByText("Players cannot free devices of this key. Please ask the seller.").waitFor();
    await check(keyString);
    await page.getByText("This key works. Its time starts at first use and lasts 1 day, 12 hours.").waitFor();
    await page.getByText("Connected: 0").waitFor();
    await check("\u200e\u200e");
    await page.getByText("Please enter a key.").waitFor();
    expect(await accessProblems(page)).toEqual([]);
  });
});
