import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** The three sizes at which every screen is tested (rules.md: Accessibility). */
export const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 900, height: 700 },
  phone: { width: 390, height: 844 },
} as const;

const artifacts = join(import.meta.dir, "../.artifacts");

/** Shorter than a test's timeout, so that a failure reports what it waited for and leaves a screenshot. */
const waitMsMax = 60_000;

/** Narrower pages are a phone's (islands/runtime/media.ts). */
const phonePixelsMax = 767;

export interface Visit {
  context: BrowserContext;
  page: Page;
  /**
   * Problems that the browser reported: console errors, uncaught errors, policy violations, requests to other hosts.
   */
  problems: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Problems that the visit causes on purpose, such as the console message for a 401. */
  expected?: RegExp;
}

/**
 * Opens a new browser context and closes it after the visit. A failed visit leaves a screenshot in `tests/.artifacts`.
 * A visit with unexpected problems fails.
 */
export async function visit(
  browser: Browser,
  url: string,
  name: string,
  walk: (visit: Visit) => Promise<void>,
  { expected, ...options }: VisitOptions = {},
): Promise<void> {
  const tab = await openTab(browser, url, options);
  await tab.visit(name, walk, expected).finally(tab.close);
}

/** A page in its own browser context, which several visits use in turn. */
export interface Tab {
  visit: (name: string, walk: (visit: Visit) => Promise<void>, expected?: RegExp) => Promise<void>;
  /**
   * Makes it like a new one, except that the panel's files are in its cache. Returns false if a visit changed more than
   * can be taken back, for example with a route. Such a tab must be closed.
   */
  renew: () => Promise<boolean>;
  close: () => Promise<void>;
}

/** Methods of the page, its context and its clock whose effect a later visit would notice. */
const lasting = [
  ...["addInitScript", "addLocatorHandler", "emulateMedia", "exposeBinding", "exposeFunction", "grantPermissions"],
  ...["newCDPSession", "newPage", "on", "once", "route", "routeWebSocket", "setExtraHTTPHeaders", "setGeolocation"],
  ...["setOffline", "install", "pauseAt", "setFixedTime", "setSystemTime"],
];

export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const viewport = options.viewport ?? sizes.desktop;
  const context = await browser.newContext({ viewport, baseURL: url, ...options });
  context.setDefaultTimeout(waitMsMax);
  if (viewport.width <= phonePixelsMax) await context.addInitScript(defineShare);
  const page = await context.newPage();
  const problems: string[] = [];
  listen(context, new URL(url).origin, problems);
  const devtools = await context.newCDPSession(page);
  const changed = noteCalls([page, context, page.clock], lasting);
  return {
    async visit(name, walk, expected) {
      problems.length = 0;
      try {
        await walk({ context, page, problems });
        const unexpected = problems.filter((problem) => !expected?.test(problem));
        if (unexpected.length > 0) throw new Error(`The browser reported:\n${unexpected.join("\n")}`);
      } catch (error) {
        await keepScreenshot(page, name);
        throw error;
      }
    },
    async renew() {
      if (changed() || context.pages().length !== 1) return false;
      // Has no scripts, and the same origin: the browser keeps the process, which is most of a new tab's cost.
      await page.goto("/robots.txt");
      await page.setViewportSize(viewport);
      // Outside, so that nothing of the next page is hovered.
      await page.mouse.move(-1, -1);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      await context.clearCookies();
      await devtools.send("Page.resetNavigationHistory");
      restPointer(page);
      return true;
    },
    close: () => context.close(),
  };
}

/** Waits until every island of the page is hydrated. */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector("[data-island]:not([data-ready])"));
}

/** Waits until the page has loaded completely: it is hydrated and has no skeletons. */
export async function settled(page: Page): Promise<void> {
  await awake(page);
  await page.waitForFunction(() => !document.querySelector(".animate-breathe, [aria-busy=true]"));
}

/**
 * Resizes the window and waits for the new layout: resize events fire before the next frame, and the changes they cause
 * are laid out by the frame after it.
 */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    while (document.getAnimations().some(({ playState }) => playState === "running")) await frame();
  });
}

/**
 * The layout shift since the page was opened; the budget is 0. Call it before the first press, which may move content.
 * The shifts that the browser ascribes to recent input count too: for it, a phone's first layout is such input.
 */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // The latest changes are laid out by the next frame and reported after it.
    await frame();
    await frame();
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    const entries = observer.takeRecords() as (PerformanceEntry & { value: number })[];
    observer.disconnect();
    return entries.reduce((sum, { value }) => sum + value, 0);
  });
}

/** By how many pixels the content is wider than the page without its scrollbar. */
export function overflowPixels(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.offsetWidth);
}

/**
 * Links and buttons that a finger hits over less than 44 px of height, because they are low or another one covers them
 * (rules.md: Accessibility).
 */
export function lowTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isLow = (target: Element) => {
      target.scrollIntoView({ block: "center" });
      const { left, top, width, height } = target.getBoundingClientRect();
      const isHit = (fromMiddle: number) =>
        target.contains(document.elementFromPoint(left + width / 2, top + height / 2 + fromMiddle));
      return !isHit(-21) || !isHit(21);
    };
    return [...document.querySelectorAll(":is(header, main, nav) :is(a, button)")]
      .filter((target) => target.checkVisibility({ visibilityProperty: true }) && isLow(target))
      .map((target) => target.getAttribute("aria-label") ?? target.textContent);
  });
}

/**
 * The bytes and scripts that the page has loaded. The budget counts gzip, although this browser received the smaller
 * brotli.
 */
export async function gzippedBytes(page: Page) {
  const urls = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const filesOf = (ending: string) => [...new Set(urls.filter((url) => new URL(url).pathname.endsWith(ending)))];
  const sum = async (files: string[]) => {
    const sizes = await Promise.all(files.map(gzippedSize));
    return sizes.reduce((total, size) => total + size, 0);
  };
  const scripts = filesOf(".js");
  return {
    script: await sum(scripts),
    styles: await sum(filesOf(".css")),
    font: await sum(filesOf(".woff2")),
    scripts,
  };
}

/** By address, because an address always has the same content. */
const gzippedSizes = new Map<string, Promise<number>>();

function gzippedSize(url: string): Promise<number> {
  const known = gzippedSizes.get(url);
  if (known) return known;
  const asked = fetch(url, { headers: { "accept-encoding": "gzip" }, decompress: false })
    .then((response) => response.bytes())
    .then(({ length }) => length);
  gzippedSizes.set(url, asked);
  return asked;
}

/**
 * Chromium skips the view transition if the new page appears before the old page's snapshot is ready, or if a test
 * resizes the window meanwhile, and then rejects a promise that no script can access (w3c/csswg-drafts#13726).
 */
const skippedTransition =
  /^Transition was aborted because of invalid state\. (Page already revealed|Viewport size changed)/;

/**
 * Rests the pointer at the corner of the next page, as in a new tab. In a page without a pointer, its first movement is
 * one of 0 pixels, which is no sign of a user (islands/runtime/preload.ts).
 */
function restPointer(page: Page): void {
  const { goto } = page;
  page.goto = async (...words) => {
    page.goto = goto;
    const response = await page.goto(...words);
    await page.mouse.move(0, 0);
    return response;
  };
}

/** Returns a function that says whether one of these methods has been called. */
function noteCalls(objects: object[], names: string[]): () => boolean {
  let isCalled = false;
  for (const object of objects as Record<string, unknown>[]) {
    for (const name of names) {
      const method = object[name];
      if (typeof method !== "function") continue;
      object[name] = (...words: unknown[]) => {
        isCalled = true;
        return method.apply(object, words);
      };
    }
  }
  return () => isCalled;
}

/** Phones have it, but headless Chromium does not. A test that shares replaces it. */
function defineShare(): void {
  Navigator.prototype.share = async () => {};
}

/** Policy violations are console errors too, so listening to the console includes them. */
function listen(context: BrowserContext, origin: string, problems: string[]): void {
  context.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()} at ${message.location().url}`);
  });
  context.on("weberror", (error) => {
    const { message } = error.error();
    if (!skippedTransition.test(message)) problems.push(`uncaught: ${message}`);
  });
  context.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith("http") && asked !== origin) problems.push(`elsewhere: ${request.url()}`);
  });
}

async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  const path = join(artifacts, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`);
  await page.screenshot({ path, fullPage: true }).catch(() => {});
}
