import { expect, test } from "bun:test";
import { registerReseller, signInAdmin } from "../client.ts";
import { openStage } from "./stage.ts";
import { awake } from "./visit.ts";

const stage = openStage();

test("a key is found without its dashes and with look-alike characters", () =>
  stage.visit("key search", async ({ page, context }) => {
    const seller = await registerReseller(stage.newClient, await signInAdmin(stage.newClient), {
      username: "searcher",
      credits: 9,
    });
    for (const keyString of ["PBGM-A1B2C-OISB8", "FIRE-AAAAA-BBBBB"]) {
      const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 1, keyString };
      await seller.post("/api/reseller/keys/generate", order);
    }
    const [name = "", value = ""] = seller.cookie().split("=");
    await context.addCookies([{ name, value, url: stage.latchkey.url }]);
    await page.goto("/reseller/keys");
    await awake(page);
    const other = page.getByRole("row").filter({ hasText: "FIRE-AAAAA" });
    for (const typed of ["m a1b2co", "a182c015b"]) {
      await page.getByLabel("Search keys").fill("");
      await other.waitFor();
      await page.getByLabel("Search keys").fill(typed);
      await other.waitFor({ state: "detached" });
      expect(await page.getByRole("row").filter({ hasText: "PBGM-A1B2C" }).count()).toBe(1);
    }
  }));
