import { afterEach, expect, test } from "bun:test";
import { readAssetManifest } from "../http/assets.ts";
import { latchkey, type PageRequest, type PanelRequest, type PlayerRequest } from "./page.ts";
import type { Surroundings } from "./render.tsx";
import { createRenderedPages, type RenderedPages } from "./rendered-pages.ts";

const first = { nonce: "first-nonce", renderedAt: "2025-03-05T14:30:00.000Z", id: "", key: "" };
const second = { nonce: "second-nonce", renderedAt: "2025-03-05T14:31:00.000Z", id: "", key: "" };

const requestFor = (search: string, id = 1): PanelRequest => ({
  area: "panel",
  page: "/admin/tokens",
  search,
  owner: null,
  username: null,
  viewer: { id, username: "margaret", role: "admin", rights: null, owner: null },
  language: "javascript",
  expiringKeys: 0,
  pauses: [],
  sharedKeys: 0,
  mayGuide: false,
  today: "2025-03-05",
});

const lookedUp = (key: string): PlayerRequest => ({
  ...{ area: "player", language: "en" },
  result: { key, found: "NOT_FOUND", notice: null, asked: null, at: first.renderedAt, retryAt: null },
});

let pages: RenderedPages;
const htmlOf = async (request: PageRequest, values: typeof first, address = "198.51.100.1") =>
  new TextDecoder().decode(await pages.htmlOf(request, values, address));
afterEach(() => pages.close());

/** Each page contains the number of pages rendered so far. */
async function loadCounting() {
  let count = 0;
  return (request: PageRequest, { slots }: Surroundings) => {
    const search = request.area === "panel" ? request.search : "";
    count += 1;
    if (search === "?fails") throw new Error("a test");
    const html = `number ${count}, ${search}, ${slots.nonce}, ${slots.renderedAt}`;
    return {
      html: search === "?is-long" ? html + "!".repeat(50_000) : html,
      failures: search === "?without-an-island" ? [{ island: "header", cause: "a test" }] : [],
    };
  };
}

/** One counter for all pages of a server. */
function createCounting(): RenderedPages {
  const loaded = loadCounting();
  return createRenderedPages({ assets: readAssetManifest(), brand: latchkey, loadRender: () => loaded });
}

test("a rendered page has the response's nonce and time, and no slots are left", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), brand: latchkey });
  const [one, other] = await Promise.all([htmlOf(requestFor("?search=a"), first), htmlOf(requestFor(""), second)]);
  for (const text of ["<h1", "Referral Tokens", "margaret", 'value="a"', first.renderedAt]) expect(one).toContain(text);
  expect(one).toContain(`nonce="${first.nonce}"`);
  expect(one).not.toContain(second.nonce);
  expect(other.replaceAll(second.nonce, first.nonce).replaceAll(second.renderedAt, first.renderedAt)).not.toBe(one);
  const again = await htmlOf(requestFor("?search=a"), second);
  expect(again.replaceAll(second.nonce, first.nonce).replaceAll(second.renderedAt, first.renderedAt)).toBe(one);
});

test("the same page is rendered once, even for simultaneous requests, and different pages separately", async () => {
  pages = createCounting();
  const atOnce = await Promise.all([first, second].map((values) => htmlOf(requestFor("?a"), values)));
  expect(atOnce).toEqual([first, second].map(({ nonce, renderedAt }) => `number 1, ?a, ${nonce}, ${renderedAt}`));
  expect(await htmlOf(requestFor("?a"), first)).toStartWith("number 1, ");
  expect(await htmlOf(requestFor("?a", 2), first)).toStartWith("number 2, ");
  expect(await htmlOf({ ...requestFor("?a"), today: "2025-03-06" }, first)).toStartWith("number 3, ");
  expect(await htmlOf(requestFor("?a"), first)).toStartWith("number 1, ");
});

test("the pages of two keys are rendered once, and each has its own id", async () => {
  pages = createRenderedPages({ assets: readAssetManifest(), brand: latchkey });
  const page: PageRequest = { ...requestFor(""), page: "/admin/keys/:id" };
  const seven = await htmlOf(page, { ...first, id: "7" });
  for (const text of ['"id":"7"', "/api/admin/keys/7/details"]) expect(seven).toContain(text);
  expect(await htmlOf(page, { ...first, id: "8" })).toBe(
    seven.replaceAll("keys/7", "keys/8").replace('"id":"7"', '"id":"8"'),
  );
});

test("a page that lacks one of its islands is not cached", async () => {
  pages = createCounting();
  expect(await htmlOf(requestFor("?without-an-island"), first)).toStartWith("number 1, ");
  expect(await htmlOf(requestFor("?without-an-island"), first)).toStartWith("number 2, ");
});

test("a page that cannot be rendered fails each time, and other pages are rendered", async () => {
  pages = createCounting();
  const tried = () => htmlOf(requestFor("?fails"), first).catch((error: Error) => error.message);
  expect([await tried(), await tried()]).toEqual(["a test", "a test"]);
  expect(await htmlOf(requestFor("?a"), first)).toStartWith("number 3, ");
});

const codeOf = (page: Promise<string>) =>
  page.then(
    () => "rendered",
    ({ code }) => code,
  );

test("200 pages of several accounts that do not all fit the cache are all rendered", async () => {
  pages = createCounting();
  const atOnce = Array.from({ length: 200 }, (_, one) => codeOf(htmlOf(requestFor("?is-long", one), first)));
  expect(new Set(await Promise.all(atOnce))).toEqual(new Set(["rendered"]));
});

test("at most 50 pages of one account wait, so that there is room for others", async () => {
  pages = createCounting();
  // One is rendered, and 50 wait.
  const became = Array.from({ length: 52 }, (_, one) => codeOf(htmlOf(requestFor(`?${one}`), first)));
  expect(await codeOf(htmlOf(requestFor("?a", 2), first))).toBe("rendered");
  expect(await Promise.all(became)).toEqual([...Array.from({ length: 51 }, () => "rendered"), "TOO_MANY_TRIES"]);
});

test("of 150 pages of one address 50 wait, and those of others are rendered", async () => {
  pages = createCounting();
  const became = Array.from({ length: 150 }, (_, one) => codeOf(htmlOf(lookedUp(`key ${one}`), first)));
  const others = Array.from({ length: 20 }, (_, one) => codeOf(htmlOf(lookedUp("key"), first, `203.0.113.${one}`)));
  expect(new Set(await Promise.all(others))).toEqual(new Set(["rendered"]));
  const codes = await Promise.all(became);
  expect(codes.filter((code) => code === "rendered")).toHaveLength(51);
  expect(new Set(codes)).toEqual(new Set(["rendered", "TOO_MANY_TRIES"]));
});

test("a visitor does not wait for another's turn, also where both want the same page", async () => {
  pages = createCounting();
  const waiting = Array.from({ length: 51 }, (_, one) => codeOf(htmlOf(lookedUp(`key ${one}`), first)));
  const refused = codeOf(htmlOf({ area: "nowhere" }, first));
  const rendered = codeOf(htmlOf({ area: "nowhere" }, first, "203.0.113.1"));
  expect([await refused, await rendered]).toEqual(["TOO_MANY_TRIES", "rendered"]);
  await Promise.all(waiting);
});

test("if 200 pages wait the next is refused at once, and all are refused when the server stops", async () => {
  const rendering = Promise.withResolvers<Awaited<ReturnType<typeof loadCounting>>>();
  pages = createRenderedPages({ assets: readAssetManifest(), brand: latchkey, loadRender: () => rendering.promise });
  const waiting = Array.from({ length: 201 }, (_, one) => codeOf(htmlOf(requestFor("?a", one), first)));
  expect(await codeOf(htmlOf(requestFor("?a", 201), first))).toBe("BUSY");
  pages.close();
  rendering.resolve(await loadCounting());
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["BUSY"]));
  expect(await codeOf(htmlOf(requestFor("?a"), first))).toBe("BUSY");
});
