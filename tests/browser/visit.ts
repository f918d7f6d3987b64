import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** The three sizes at which every screen is looked at (rules.md: Window sizes). */
export const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 900, height: 700 },
  phone: { width: 390, height: 844 },
} as const;

const artifacts = join(import.meta.dir, "../.artifacts");

/** Below a test's own limit, so that what fails says what it waited for, and leaves its screenshot. */
const waitMsMax = 20_000;

export interface Visit {
  context: BrowserContext;
  page: Page;
  /** What the browser complained of: console errors, uncaught errors, policy violations, requests to elsewhere. */
  complaints: string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Complaints that the visit means to cause, such as the console's note of a 401. */
  expected?: RegExp;
}

/**
 * Opens a browser context of its own, and closes it when the visit is over. A visit that fails leaves a screenshot in
 * `tests/.artifacts`, and one that the browser complained of fails.
 */
export async function visit(
  browser: Browser,
  url: string,
  name: string,
  walk: (visit: Visit) => Promise<void>,
  { expected, ...options }: VisitOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: sizes.desktop, baseURL: url, ...options });
  context.setDefaultTimeout(waitMsMax);
  const page = await context.newPage();
  const complaints: string[] = [];
  listen(context, new URL(url).origin, complaints);
  try {
    await walk({ context, page, complaints });
    const unexpected = complaints.filter((complaint) => !expected?.test(complaint));
    if (unexpected.length > 0) throw new Error(`The browser complained:\n${unexpected.join("\n")}`);
  } catch (error) {
    await keepScreenshot(page, name);
    throw error;
  } finally {
    await context.close();
  }
}

/** Waits until every island of the page is awake. */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector("[data-island]:not([data-ready])"));
}

/** Waits until everything that the page asked for when it was opened has come: it is awake, and no skeleton is left in it. */
export async function settled(page: Page): Promise<void> {
  await awake(page);
  await page.waitForFunction(() => !document.querySelector(".animate-breathe, [aria-busy=true]"));
}

/**
 * Gives the window that stands open another size, and waits until the page has found its shape in it: what is told of a window is told
 * before the next frame, and what that changes is laid out by the one after.
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
 * How far the page's content has jumped since it was opened; the budget is 0. Asked before the first press: what a press moves is
 * nobody's jump, but half a second after the press the browser counts it as one.
 */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // What was changed just now is laid out by the next frame, and told after it.
    await frame();
    await frame();
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    const entries = observer.takeRecords() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
    observer.disconnect();
    return entries.filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0);
  });
}

/** By how many pixels what stands in the page is wider than the page itself, of which the scrollbar's room is no part. */
export function overflowPixels(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.offsetWidth);
}

/** The weight of what the page has loaded so far, in bytes, and which scripts that were. The budget counts gzip, though this browser was sent the smaller brotli. */
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

/** By address, which no other content ever has. */
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
 * Chromium leaves the fade from one page to the next out where the new one was shown before the old one's picture was ready, and rejects a promise
 * of its own that nobody was given (w3c/csswg-drafts#13726).
 */
const fadeGivenUp = /^Transition was aborted because of invalid state\. Page already revealed/;

/** A policy violation is a console error too, so that listening there hears it. */
function listen(context: BrowserContext, origin: string, complaints: string[]): void {
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()} at ${message.location().url}`);
  });
  context.on("weberror", (error) => {
    const { message } = error.error();
    if (!fadeGivenUp.test(message)) complaints.push(`uncaught: ${message}`);
  });
  context.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith("http") && asked !== origin) complaints.push(`elsewhere: ${request.url()}`);
  });
}

async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  const path = join(artifacts, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`);
  await page.screenshot({ path, fullPage: true }).catch(() => {});
}
