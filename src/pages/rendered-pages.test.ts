import { afterEach, expect, test } from "bun:test";
import { readAssetManifest } from "../http/asset-manifest.ts";
import type { AskedInPanel } from "./asked-page.ts";
import { createRenderedPages, type RenderedPages } from "./rendered-pages.ts";

const counting = new URL("../../tests/renderer.ts", import.meta.url);
const first = { nonce: "first-nonce", renderedAt: "2025-03-05T14:30:00.000Z" };
const second = { nonce: "second-nonce", renderedAt: "2025-03-05T14:31:00.000Z" };

const asked = (search: string, id = 1): AskedInPanel => ({
  ...{ area: "panel", page: "/admin/tokens", id: "", path: "/admin/tokens", search, username: null },
  ...{ viewer: { id, username: "margaret", role: "admin" }, language: "javascript", today: "2025-03-05" },
});

let pages: RenderedPages;
const htmlOf = async (...page: Parameters<RenderedPages["htmlOf"]>) =>
  new TextDecoder().decode(await pages.htmlOf(...page));
afterEach(() => pages.close(5_000));

test("the thread renders a page, with this answer's nonce and time and nothing left of its slots", async () => {
  pages = createRenderedPages({ assets: readAssetManifest() });
  const [one, other] = await Promise.all([htmlOf(asked("?search=a"), first), htmlOf(asked(""), second)]);
  for (const text of ["<h1", "Referral Tokens", "margaret", 'value="a"', first.renderedAt]) expect(one).toContain(text);
  expect(one).toContain(`nonce="${first.nonce}"`);
  expect(one).not.toContain(second.nonce);
  expect(other.replaceAll(second.nonce, first.nonce).replaceAll(second.renderedAt, first.renderedAt)).not.toBe(one);
  const again = await htmlOf(asked("?search=a"), second);
  expect(again.replaceAll(second.nonce, first.nonce).replaceAll(second.renderedAt, first.renderedAt)).toBe(one);
});

test("the same page is rendered once, also for those who ask at once, and another for each who sees another", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  const atOnce = await Promise.all([first, second].map((perAnswer) => htmlOf(asked("?a"), perAnswer)));
  expect(atOnce).toEqual([first, second].map(({ nonce, renderedAt }) => `number 1, ?a, ${nonce}, ${renderedAt}`));
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 1, ");
  expect(await htmlOf(asked("?a", 2), first)).toStartWith("number 2, ");
  expect(await htmlOf({ ...asked("?a"), today: "2025-03-06" }, first)).toStartWith("number 3, ");
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 1, ");
});

test("a page that came without one of its islands is not kept", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  expect(await htmlOf(asked("?without-an-island"), first)).toStartWith("number 1, ");
  expect(await htmlOf(asked("?without-an-island"), first)).toStartWith("number 2, ");
});

test("a page that cannot be rendered is a failure each time, and the others go on", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  const tried = () => htmlOf(asked("?fails"), first).catch((error: Error) => error.message);
  expect([await tried(), await tried()]).toEqual(["a test", "a test"]);
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 3, ");
});

const codeOf = (page: Promise<string>) =>
  page.then(
    () => "answered",
    ({ code }) => code,
  );

test("when the thread dies whoever waits is told that the server is busy, and the next page starts it anew", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  const waiting = [codeOf(htmlOf(asked("?says-nothing"), first)), codeOf(htmlOf(asked("?dies"), first))];
  expect(await Promise.all(waiting)).toEqual(["BUSY", "BUSY"]);
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 1, ");
});

test("200 pages that are more than is kept are all answered", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  const atOnce = Array.from({ length: 200 }, (_, one) => codeOf(htmlOf(asked("?is-long", one), first)));
  expect(new Set(await Promise.all(atOnce))).toEqual(new Set(["answered"]));
});

test("where no thread can be started each page is refused, however many were before it", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: new URL("https://localhost/") });
  const became = new Set<string>();
  for (let tries = 0; tries <= 200; tries += 1) became.add(await codeOf(htmlOf(asked("?a"), first)));
  expect(became).toEqual(new Set(["BUSY"]));
});

test("of one account 50 pages wait, so that the others find room", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  const became = Array.from({ length: 51 }, (_, one) => codeOf(htmlOf(asked(`?${one}`), first)));
  expect(await codeOf(htmlOf(asked("?a", 2), first))).toBe("answered");
  expect(await Promise.all(became)).toEqual([...Array.from({ length: 50 }, () => "answered"), "BUSY"]);
});

test("past 200 pages that wait the next is refused at once, and when the server stops all of them", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), program: counting });
  const waiting = Array.from({ length: 200 }, (_, one) => codeOf(htmlOf(asked("?says-nothing", one), first)));
  expect(await codeOf(htmlOf(asked("?a"), first))).toBe("BUSY");
  await pages.close(5_000);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["BUSY"]));
  expect(await codeOf(htmlOf(asked("?a"), first))).toBe("BUSY");
});
