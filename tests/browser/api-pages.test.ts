import { beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { placeholder } from "../../src/reference/call.ts";
import { registerReseller, signInAdmin } from "../client.ts";
import { clipboard, withClipboard } from "./clipboard.ts";
import { adminLogin } from "./latchkey.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, overflowPixels, resize } from "./visit.ts";

const resellerLogin = { username: "night.owl", password: "test-reseller-password" };
const example = { game: "PUBG MOBILE", deviceLimit: 2, keyString: "PBGM-A1B2C-D3E4F-G5H6I", count: 1 };

const stage = openStage();

beforeAll(async () => {
  const admin = await signInAdmin(stage.newClient);
  const expiryDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
  expect((await admin.post("/api/admin/keys/generate", { ...example, expiryDate })).status).toBe(201);
  await admin.post("/api/admin/online-updates", { title: "News", message: "Hello" });
  await registerReseller(stage.newClient, admin, resellerLogin);
});

const logins = { admin: adminLogin, reseller: resellerLogin };

async function enter(page: Page, role: "admin" | "reseller") {
  await page.context().clearCookies();
  await signIn(page, role, logins[role]);
  await page.goto(`/${role}/api`);
}

async function open(page: Page, role: "admin" | "reseller") {
  await enter(page, role);
  await awake(page);
}

/** The text that the button copies, with the address of the server under test. */
async function copied(page: Page, label: string): Promise<string> {
  // Checks this button, because a previously pressed one may still say that it copied.
  const button = await page.getByRole("button", { name: label }).elementHandle();
  await button?.press("Enter");
  await page.waitForFunction((pressed) => pressed?.textContent === "Copied", button);
  return (await clipboard(page)).replaceAll(placeholder, stage.latchkey.url);
}

test("from 768 to 1023 px a reseller's page does not scroll sideways, with the sidebar opened or closed", () =>
  stage.visit("tablets", async ({ page }) => {
    await open(page, "reseller");
    for (const sidebar of ["expanded", "collapsed"]) {
      await page.evaluate((kept) => localStorage.setItem("sidebar", kept), sidebar);
      await page.reload();
      await awake(page);
      for (const width of [768, 880, 890, 900, 1023]) {
        await resize(page, width, 700);
        await page.locator("details").evaluateAll((all) => {
          for (const each of all) (each as HTMLDetailsElement).open = true;
        });
        expect([sidebar, width, await overflowPixels(page)]).toEqual([sidebar, width, 0]);
      }
    }
  }));

test("from 320 to 412 px calls and languages fit on one line each, and tabs stay in their row", () =>
  stage.visit(
    "tabs",
    async ({ page }) => {
      await open(page, "admin");
      for (const width of [412, 390, 360, 320]) {
        await resize(page, width, 700);
        for (const [label, count] of [
          ["Calls", 3],
          ["Languages", 6],
        ] as const) {
          const tabs = page.getByRole("tablist", { name: label }).getByRole("tab");
          const places = await tabs.evaluateAll((found) => {
            const row = found[0]?.parentElement?.getBoundingClientRect();
            return found.map((tab) => {
              const text = document.createRange();
              text.selectNodeContents(tab);
              const { left, right, height } = text.getBoundingClientRect();
              const own = tab.getBoundingClientRect();
              const fits = left >= own.left && right <= own.right && own.right <= (row?.right ?? 0);
              return { top: own.top, isOneLine: height < 24, fits };
            });
          });
          const lines = new Set(places.map(({ top }) => top)).size;
          expect([width, lines, places.every(({ fits }) => fits)]).toEqual([width, 1, true]);
          expect([width, places.filter(({ isOneLine }) => isOneLine).length]).toEqual([width, count]);
        }
      }
    },
    { viewport: { width: 412, height: 700 }, isMobile: true, hasTouch: true },
  ));

test("each tab's JavaScript can be copied by keyboard and works in a browser", () =>
  stage.visit(
    "samples",
    async ({ page }) => {
      await open(page, "admin");
      const results: unknown[] = [];
      await page.getByRole("tab", { name: "POST Method" }).focus();
      for (const [tab, result] of [
        ["POST Method", "verdict"],
        ["GET Method", "verdict"],
        ["Online Updates", "updates"],
      ] as const) {
        await page.getByRole("tab", { name: tab, selected: true }).waitFor();
        const sample = await copied(page, "Copy JavaScript");
        results.push(await page.evaluate(`(async () => {${sample}\nreturn ${result};})()`));
        await page.getByRole("tab", { name: tab }).press("ArrowRight");
      }
      const verdict = { valid: true, code: "VALID", deviceLimit: 2, currentDevices: 1 };
      expect(results).toEqual([
        expect.objectContaining(verdict),
        expect.objectContaining({ ...verdict, canRegister: false }),
        [expect.objectContaining({ title: "News", message: "Hello", isActive: true })],
      ]);
    },
    withClipboard,
  ));

test("the integration guide's four steps together accept a player, also offline, and refuse a wrong key", () =>
  stage.visit(
    "integration guide",
    async ({ page, context }) => {
      await open(page, "reseller");
      const parts = [await copied(page, "Copy JavaScript")];
      for (const step of [1, 2, 3, 4]) parts.push(await copied(page, `Copy step ${step}`));
      const run = (code: string) => page.evaluate(`(async () => {${parts.join("\n")}\n${code}})()`);
      // Each run begins with the sample's own call; the offline run loses the network after it.
      expect(
        await run(`storeKey(" ${example.keyString} ");
          return [(await deviceId("${example.game}")) === (await deviceId("${example.game}")), storedKey(), await mayPlay("${example.game}")];`),
      ).toEqual([true, example.keyString, true]);
      expect(
        await run(`fetch = () => Promise.reject(new TypeError("offline"));
          const kept = await mayPlay("${example.game}"); storeKey("ANOTHER-KEY");
          return [kept, await mayPlay("${example.game}")];`),
      ).toEqual([true, false]);
      await page.reload();
      expect(await run(`storeKey("ANOTHER-KEY"); return mayPlay("${example.game}");`)).toBe(false);
      expect(
        await run(
          `return verifyWithRetry("", "${example.game}", await deviceId("${example.game}")).catch(({ status }) => status);`,
        ),
      ).toBe(422);
      await context.clearCookies();
    },
    { ...withClipboard, expected: /status of 422/ },
  ));

test("without JavaScript both pages show all tabs", () =>
  stage.visit(
    "api pages without script",
    async ({ page }) => {
      await enter(page, "admin");
      for (const [tab, heading] of [
        ["POST Method", "Verify a key"],
        ["GET Method", "Check a key"],
        ["Online Updates", "Read the online updates"],
      ] as const) {
        await page.locator("main noscript nav a", { hasText: tab }).click();
        await page.getByRole("heading", { name: heading }).waitFor();
        expect(await page.getByRole("region", { name: "JavaScript" }).isVisible()).toBeTrue();
      }
      expect(await page.locator("main").textContent()).not.toContain("needs JavaScript");
      expect(await page.getByText("Copy JavaScript").isVisible()).toBeFalse();
      await enter(page, "reseller");
      const headings = await page.getByRole("heading", { level: 2 }).allInnerTexts();
      expect(headings).toEqual(["Start with an SDK", "Verify a key", "Integration Guide"]);
      const lead = page.getByRole("region", { name: "Start with an SDK" });
      await lead.getByRole("region", { name: "Three lines of TypeScript" }).waitFor();
      await lead.getByText("/.well-known/latchkey-keys", { exact: true }).waitFor();
      await lead.getByText("The starts for Java, Unity, Flutter and C++ pass ANDROID_ID").waitFor();
      await lead.getByText("What to show").click();
      await lead.getByText("unless the code is NOT_ASKED").waitFor();
      await lead.getByText("DEVICE_LIMIT_REACHED", { exact: true }).waitFor();
      await lead.getByText("can be edited on the phone").waitFor();
      await page.getByText("Python 3.9 and newer").click();
      await page.getByRole("region", { name: "Start with latchkey.py" }).waitFor();
      const sdk = await (await page.request.get("/sdk/latchkey.py")).body();
      const sha256 = createHash("sha256").update(sdk).digest("hex");
      await page.getByText(sha256, { exact: true }).waitFor();
      expect(await page.getByRole("heading", { level: 3 }).allInnerTexts()).toContain("Handle errors");
      expect(await page.locator("main").textContent()).not.toContain("needs JavaScript");
    },
    { javaScriptEnabled: false },
  ));
