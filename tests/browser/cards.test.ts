import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { openStage } from "./stage.ts";
import { awake, overflowPixels, resize, settled, type VisitOptions } from "./visit.ts";

const longName = "maximiliane.winterbottom_the_2nd";
const longNote = "Ana paid in cash on Friday, wants both phones and the tablet of a brother who is at sea. "
  .repeat(3)
  .slice(0, 200);
const cardPixelsMax = 124;
const phone: VisitOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const stage = openStage();
let admin: Client;
let owl: ResellerClient;
let wide: ResellerClient;

beforeAll(async () => {
  admin = await signInAdmin(stage.newClient);
  owl = await registerReseller(stage.newClient, admin, { username: "night.owl", credits: 4975.5 });
  await admin.post("/api/admin/resellers/credits", { resellerId: owl.id, amount: 100_000, note: longNote });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 2 };
  const { orderId, keys } = (await owl.post("/api/reseller/keys/generate", order)).body;
  await owl.call("PUT", `/api/reseller/orders/${orderId}/note`, { note: longNote });
  await owl.call("PUT", `/api/reseller/keys/${keys[1].id}/note`, { note: longNote });
  const suspended = await registerReseller(stage.newClient, admin, { username: longName, credits: 0 });
  await admin.post(`/api/admin/resellers/${suspended.id}/toggle-status`, { isActive: false, reason: longNote });
  wide = await registerReseller(stage.newClient, admin, { username: "W".repeat(32), credits: 99_999.5 });
  await admin.post("/api/admin/tokens/generate", { credits: 37.5, label: "For Ana" });
});

async function open(page: Page, who: Client, path: string) {
  const [name = "", value = ""] = who.cookie().split("=");
  await page.context().addCookies([{ name, value, url: stage.latchkey.url }]);
  await page.goto(path);
  await awake(page);
  await settled(page);
}

/** The visible texts of the card with this text, line by line, with its days and times replaced. */
async function linesOf(page: Page, text: string): Promise<string[]> {
  const card = page.locator("tbody tr").filter({ hasText: text }).first();
  const lines = await card.evaluate((row) => {
    const pieces: { text: string; middle: number; left: number }[] = [];
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      const [box] = range.getClientRects();
      if (!box || texts.currentNode.parentElement?.closest(".sr-only")) continue;
      const piece = { text: texts.currentNode.textContent?.trim() ?? "", middle: box.y + box.height / 2, left: box.x };
      pieces.push(piece);
    }
    const inOrder = pieces.sort((one, other) => one.middle - other.middle || one.left - other.left);
    const found: (typeof pieces)[] = [];
    for (const piece of inOrder) {
      const line = found.at(-1);
      if (line?.[0] && piece.middle - line[0].middle < 8) line.push(piece);
      else found.push([piece]);
    }
    return found.map((line) =>
      line
        .sort((one, other) => one.left - other.left)
        .map((piece) => piece.text)
        .join(" "),
    );
  });
  return lines.map((line) =>
    line.replaceAll(/\d\d\/\d\d\/\d{4}/g, "(day)").replaceAll(/[A-Z][a-z]{2} \d\d, \d\d:\d\d/g, "(time)"),
  );
}

const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

/** The note is cut after two lines; its title is the whole. */
async function expectClamped(page: Page) {
  const note = page.getByTitle(longNote).first();
  expect((await boxOf(note)).height).toBeLessThanOrEqual(32);
}

test("on a phone the cards of resellers are at most 124 px high, with low buttons; tokens and the audit log have theirs", () =>
  stage.visit(
    "cards of an admin",
    async ({ page }) => {
      await open(page, admin, "/admin/resellers");
      expect(await linesOf(page, "night.owl")).toEqual([
        "night.owl 104,969.5 credits",
        "Since (day) · 2 keys Active",
        "Add Credit Keys Suspend",
      ]);
      for (const width of [390, 320]) {
        await resize(page, width, 844);
        for (const card of await page.locator("tbody tr").all()) {
          const { height } = await boxOf(card);
          const button = await boxOf(card.getByRole("button", { name: /^Add Credit/ }));
          expect([width, height <= cardPixelsMax, button.height]).toEqual([width, true, 32]);
        }
        expect((await boxOf(page.getByTitle(longNote))).height).toBe(16);
      }
      await open(page, admin, `/admin/resellers/${wide.id}`);
      expect(await overflowPixels(page)).toBe(0);

      await resize(page, 390, 844);
      await open(page, admin, "/admin/tokens");
      const [first, ...others] = await linesOf(page, "For Ana");
      expect(first).toEndWith(" 37.5 credits");
      expect(others).toEqual(["(day) Available", "For Ana", "Copy Invite Revoke"]);
      await open(page, admin, "/admin/audit?action=token_generated");
      expect((await linesOf(page, "37.5 credits")).slice(0, 4)).toEqual([
        "(time)",
        "Token created",
        "just now",
        "admin · token 4 · 127.0.0.1",
      ]);
    },
    phone,
  ));

test("on a phone the cards of orders, credits and keys have their own lines, and notes have two", () =>
  stage.visit(
    "cards of a reseller",
    async ({ page }) => {
      await open(page, owl, "/reseller/orders");
      const [first, facts, ...others] = await linesOf(page, "FREE FIRE");
      expect([first, facts]).toEqual(["Order 1 6 credits", "2 × FREE FIRE · 30 days · 1 device"]);
      expect(others.at(-1)).toMatch(/^\(day\) +just now Open$/);
      await expectClamped(page);

      await open(page, owl, "/reseller/credits");
      expect(await linesOf(page, "Keys generated")).toEqual([
        "Keys generated Order 1 −6",
        expect.stringMatching(/^night\.owl · \(time\) +just now 104,969\.5$/),
      ]);
      // The text of a style, which is not in its lines.
      const age = page.getByRole("cell").filter({ hasText: "just now" }).first().getByText("just now").locator("..");
      expect(await age.evaluate((text) => getComputedStyle(text, "::before").content)).toBe('" · "');
      await expectClamped(page);

      await open(page, owl, "/reseller/keys?sort=created&descending=false");
      const key = await linesOf(page, "FIRE-");
      expect([key[0]?.endsWith(" ACTIVE"), key[1]]).toEqual([true, "FREE FIRE · 0 / 1"]);
      expect(key.at(-1)).toBe("(day) – (day) View Extend Revoke");
      await expectClamped(page);

      // The note of an order has the whole row of its facts.
      await open(page, owl, "/reseller/orders/1");
      expect((await boxOf(page.locator("dd").getByText(longNote))).width).toBeGreaterThan(240);

      await resize(page, 320, 700);
      const badge = await boxOf(page.getByRole("banner").getByText("Reseller"));
      const credits = await boxOf(page.getByRole("banner").getByRole("link", { name: /104,969\.5/ }));
      expect(badge.x + badge.width).toBeLessThan(credits.x);
    },
    phone,
  ));
