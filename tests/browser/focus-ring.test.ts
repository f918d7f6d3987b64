import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { registerReseller, signInAdmin } from "../client.ts";
import { tabTo } from "./keyboard.ts";
import { toast } from "./on-screen.ts";
import { openStage } from "./stage.ts";
import { settled, sizes } from "./visit.ts";

const stage = openStage();

/** The width of the ring and its distance, in pixels. */
const ring = 2;
/** Of each side, because the corners are round. */
const corner = 10;

/** The sides of the element on which its focus ring is not completely visible. */
async function hiddenSides(page: Page, element: Locator): Promise<string[]> {
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const middle = { across: x + corner, down: y + height / 2 - 1, length: width - 2 * corner };
  const sides = {
    top: { x: middle.across, y: y - 2 * ring, width: middle.length, height: ring },
    bottom: { x: middle.across, y: y + height + ring, width: middle.length, height: ring },
    left: { x: x - 2 * ring, y: middle.down, width: ring, height: 2 },
    right: { x: x + width + ring, y: middle.down, width: ring, height: 2 },
  };
  const hidden: string[] = [];
  for (const [side, clip] of Object.entries(sides)) {
    const shares = await brassShare(page, [...(await page.screenshot({ clip }))]);
    if (shares < 0.9) hidden.push(side);
  }
  return hidden;
}

/** How much of the picture has the colour of a focus ring. */
function brassShare(page: Page, png: number[]): Promise<number> {
  return page.evaluate(async (bytes) => {
    const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas?.drawImage(picture, 0, 0);
    const pixels = canvas?.getImageData(0, 0, picture.width, picture.height).data ?? [];
    let brass = 0;
    // Fractions of a pixel are blended with what is behind.
    for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 0) - (pixels[at + 2] ?? 0) > 60) brass += 1;
    return brass / (picture.width * picture.height);
  }, png);
}

test("the focus ring of a reseller's name is visible on all sides, also where the name is cut", async () => {
  const admin = await signInAdmin(stage.newClient);
  for (const username of ["focus.owl", "a.name.of.thirty.one.characters"]) {
    await registerReseller(stage.newClient, admin, { username });
  }
  await stage.visitAsAdmin("ring of a name", "/admin/resellers", async (page) => {
    await settled(page);
    for (const username of ["focus.owl", "a.name.of.thirty.one.characters"]) {
      const link = page.getByRole("link", { name: username });
      await tabTo(page, link);
      expect(await hiddenSides(page, link)).toEqual([]);
    }
  });
});

for (const size of ["desktop", "phone"] as const) {
  test(`on a ${size}, the focus ring of Random is over its field`, () =>
    stage.visitAsAdmin(
      "ring of Random",
      "/admin/create-keys",
      async (page) => {
        const random = page.getByRole("button", { name: "Random" });
        await tabTo(page, random);
        expect(await hiddenSides(page, random)).toEqual([]);
      },
      { viewport: sizes[size] },
    ));
}

test("F8 shows on the toast that it has the focus", () =>
  stage.visitAsAdmin("ring of a toast", "/admin/create-keys", async (page) => {
    await page.getByLabel("Game").selectOption("FREE FIRE");
    await page.getByRole("button", { name: "Generate Key" }).click();
    await toast(page, "Generated 1 admin key(s) successfully");
    // It takes the focus when it appears.
    await page.getByRole("button", { name: "Copy All" }).waitFor();
    await page.keyboard.press("F8");
    expect(await hiddenSides(page, page.locator("li[data-state][data-swipe-direction]"))).toEqual([]);
  }));
