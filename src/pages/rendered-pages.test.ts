import { afterEach, expect, test } from "bun:test";
import { readAssetManifest } from "../http/assets.ts";
import type { PageRequest, PanelRequest } from "./page.ts";
import type { Surroundings } from "./render.tsx";
import { createRenderedPages, type RenderedPages } from "./rendered-pages.ts";

const first = { nonce: "first-nonce", renderedAt: "2025-03-05T14:30:00.000Z", id: "" };

const second = { nonce: "second-nonce", renderedAt: "2025-03-05T14:31:00.000Z", id: "" };

const asked = (search: string, id = 1): PanelRequest => ({
  ...{ area: "panel", page: "/admin/tokens", search, username: null },
  ...{ viewer: { id, username: "margaret", role: "admin" }, language: "javascript", today: "2025-03-05" },
});

let pages: RenderedPages;

const htmlOf = async (...page: Parameters<RenderedPages["htmlOf"]>) =>
  new TextDecoder().decode(await pages.htmlOf(...page));

afterEach(() => pages.close());

/** Each page says how many were rendered before it. */
async function loadCounting() {
  let count = 0;
  return (asked: PageRequest, { slots }: Surroundings) => {
    const search = asked.area === "panel" ? asked.search : "";
    count += 1;
    if (search === "?fails") throw new Error("a test");
    const html = `number ${count}, ${search}, ${slots.nonce}, ${slots.renderedAt}`;
    return {
      html: search === "?is-long" ? html + "!".repeat(50_000) : html,
      failures: search === "?without-an-island" ? [{ island: "header", cause: "a test" }] : [],
    };
  };
}

/** One count for all pages of a server. */
function createCounting(): RenderedPages {
  const loaded = loadCounting();
  return createRenderedPages({ assets: readAssetManifest(), loadRender: () => loaded });
}

test("the server renders a page, with this answer's nonce and time and nothing left of its slots", async () => {
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
  pages = createCounting();
  const atOnce = await Promise.all([first, second].map((values) => htmlOf(asked("?a"), values)));
  expect(atOnce).toEqual([first, second].map(({ nonce, renderedAt }) => `number 1, ?a, ${nonce}, ${renderedAt}`));
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 1, ");
  expect(await htmlOf(asked("?a", 2), first)).toStartWith("number 2, ");
  expect(await htmlOf({ ...asked("?a"), today: "2025-03-06" }, first)).toStartWith("number 3, ");
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 1, ");
});

test("the pages of two keys are rendered once, and each has its own id", async () => {
  pages = createRenderedPages({ assets: readAssetManifest() });
  const page: PageRequest = { ...asked(""), page: "/admin/keys/:id" };
  const seven = await htmlOf(page, { ...first, id: "7" });
  for (const text of ['{"area":"admin","id":"7"}', '"path":"/admin/keys/7"', "/api/admin/keys/7/details"])
    expect(seven).toContain(text);
  expect(await htmlOf(page, { ...first, id: "8" })).toBe(
    seven.replaceAll("keys/7", "keys/8").replace('"id":"7"', '"id":"8"'),
  );
});

test("a page that came without one of its islands is not kept", async () => {
  pages = createCounting();
  expect(await htmlOf(asked("?without-an-island"), first)).toStartWith("number 1, ");
  expect(await htmlOf(asked("?without-an-island"), first)).toStartWith("number 2, ");
});

test("a page that cannot be rendered is a failure each time, and the others go on", async () => {
  pages = createCounting();
  const tried = () => htmlOf(asked("?fails"), first).catch((error: Error) => error.message);
  expect([await tried(), await tried()]).toEqual(["a test", "a test"]);
  expect(await htmlOf(asked("?a"), first)).toStartWith("number 3, ");
});

const codeOf = (page: Promise<string>) =>
  page.then(
    () => "answered",
    ({ code }) => code,
  );

test("200 pages that are more than is kept are all answered", async () => {
  pages = createCounting();
  const atOnce = Array.from({ length: 200 }, (_, one) => codeOf(htmlOf(asked("?is-long", one), first)));
  expect(new Set(await Promise.all(atOnce))).toEqual(new Set(["answered"]));
});

test("of one account 50 pages wait, so that the others find room", async () => {
  pages = createCounting();
  const became = Array.from({ length: 51 }, (_, one) => codeOf(htmlOf(asked(`?${one}`), first)));
  expect(await codeOf(htmlOf(asked("?a", 2), first))).toBe("answered");
  expect(await Promise.all(became)).toEqual([...Array.from({ length: 50 }, () => "answered"), "BUSY"]);
});

test("past 200 pages that wait the next is refused at once, and when the server stops all of them", async () => {
  const rendering = Promise.withResolvers<Awaited<ReturnType<typeof loadCounting>>>();
  pages = createRenderedPages({ assets: readAssetManifest(), loadRender: () => rendering.promise });
  const waiting = Array.from({ length: 200 }, (_, one) => codeOf(htmlOf(asked("?a", one), first)));
  expect(await codeOf(htmlOf(asked("?a", 200), first))).toBe("BUSY");
  pages.close();
  rendering.resolve(await loadCounting());
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["BUSY"]));
  expect(await codeOf(htmlOf(asked("?a"), first))).toBe("BUSY");
});
