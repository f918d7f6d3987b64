import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type Client, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { openStage } from "./stage.ts";

const game = "PUBG MOBILE";
const key = "PBGM-A1B2C-D3E4F-G5H6I";
const folder = join(import.meta.dir, "../../docs/examples/demo-game");

const stage = openStage();
let admin: Client;
let keyId: number;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  const expiryDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const order = { game, deviceLimit: 1, keyString: key, count: 1, expiryDate };
  keyId = (await admin.post("/api/admin/keys/generate", order)).body.keys[0].id;
  const other = { key, game, deviceId: "the-players-old-phone", deviceName: "Old phone" };
  expect((await stage.newClient().post("/api/verify", other)).body.code).toBe("VALID");
});

/** Serves the game from the server's own origin, with the TypeScript bundled. */
async function openGame(page: Page) {
  const built = await Bun.build({ entrypoints: [join(folder, "game.ts")], target: "browser" });
  const script = (await built.outputs[0]?.text()) ?? "";
  const html = await Bun.file(join(folder, "index.html")).text();
  await page.route("**/demo/*", (route) =>
    route.request().url().endsWith("game.ts")
      ? route.fulfill({ contentType: "text/javascript", body: script })
      : route.fulfill({ contentType: "text/html", body: html }),
  );
  const { keys } = (await stage.newClient().get("/.well-known/latchkey-keys")).body;
  const pins = keys.map(({ kid, publicKey }: Record<string, string>) => `${kid}:${publicKey}`).join(",");
  await page.goto(`/demo/?${new URLSearchParams({ game, pins })}`);
}

const shows = (page: Page, state: string) => page.locator(`[data-state=${state}]`).waitFor();

test("a game refuses an unknown key, frees a device, plays, plays offline, and stops once the key is revoked", () =>
  stage.visit(
    "demo game",
    async ({ page }) => {
      await openGame(page);
      await page.getByLabel("License key").fill("PBGM-ZZZZZ-ZZZZZ-ZZZZZ");
      await page.getByRole("button", { name: "Play" }).click();
      await shows(page, "REFUSED");

      await page.getByLabel("License key").fill(` ${key.toLowerCase()} `);
      await page.getByRole("button", { name: "Play" }).click();
      await page.getByRole("button", { name: "Free Old phone" }).waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Free Old phone" }).click();
      await shows(page, "PLAY");

      const ended = Promise.withResolvers<void>();
      await page.route("**/api/verify", async (route) => {
        await ended.promise;
        await route.abort();
      });
      await page.reload();
      await shows(page, "PLAY_OFFLINE");
      expect(await page.getByRole("status").textContent()).toBe("You are playing.");
      ended.resolve();
      await page.getByText("You are playing offline.").waitFor();

      expect((await admin.call("DELETE", `/api/admin/keys/${keyId}`)).status).toBe(200);
      await page.unroute("**/api/verify");
      await page.reload();
      await shows(page, "REFUSED");
      expect(await page.getByRole("status").textContent()).toContain("You cannot play.");

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByText("You are signed out.").waitFor();
    },
    { expected: /ERR_FAILED/ },
  ));
