import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { markdownTable } from "../markdown-table.ts";
import { adminLogin } from "../process.ts";
import { describeRun } from "../run-description.ts";
import { createBench } from "./bench.ts";
import { spreadOf } from "./compare.ts";

/**
 * `bun run bench:panel`: how fast pages come and answer a press, in a browser whose processor is slowed four times, with a million keys in the
 * database. Writes its table into docs/performance.md. `--only <path>`, which may stand several times, measures those pages, and writes
 * nothing; `--loads` makes a run shorter or longer.
 */
const { values: options } = parseArgs({
  options: { only: { type: "string", multiple: true }, loads: { type: "string" }, keys: { type: "string" } },
});

const slowedTimes = 4;
const loads = Number(options.loads ?? 5);
const keys = Number(options.keys ?? 1_000_000);

const pages = {
  admin: [
    "/admin",
    "/admin/create-keys?tab=manage",
    "/admin/resellers",
    "/admin/resellers/2/keys",
    "/admin/resellers/2",
    "/admin/tokens",
    "/admin/audit",
  ],
  reseller: ["/reseller", "/reseller/keys", "/reseller/orders", "/reseller/credits"],
};
const logins = { admin: adminLogin, reseller: { ...adminLogin, username: "reseller00001" } };

/** What a person waits for, in milliseconds. */
interface Waits {
  /** Largest contentful paint. */
  paint: number;
  /** The first frame in which no skeleton stands for what was asked for. */
  rows: number;
  /** The first press once they are there: on a heading that sorts, else on what folds the sidebar. From the press to the next frame. */
  press: number;
  /** The slowest of the presses while the page comes. */
  earlyPress: number;
}

/** How often somebody presses who does not wait for the page. */
const pressEveryMs = 60;

const bench = createBench({ rounds: 1, closeRounds: 1, seconds: 1, processes: 1, keys, verificationsForMemory: 0 });
const browser = await launchChromium();
const measured: { path: string; waits: Waits }[] = [];
try {
  const { url } = await bench.latchkey();
  for (const [role, paths] of Object.entries(pages) as [keyof typeof pages, string[]][]) {
    const chosen = paths.filter((path) => options.only?.includes(path) ?? true);
    if (chosen.length === 0) continue;
    const context = await signedIn(browser, url, role);
    for (const path of chosen) {
      const waits = await waitsFor(context, path);
      measured.push({ path, waits });
      console.log(
        `${path}: ${Object.entries(waits)
          .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
          .join(", ")}`,
      );
    }
    await context.close();
  }
} finally {
  await browser.close();
  await bench.end();
}
if (!options.only) keep();

async function signedIn(browser: Browser, url: string, role: keyof typeof pages): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const answer = await context.request.post(`/api/auth/${role}/login`, { data: logins[role] });
  if (!answer.ok()) throw new Error(`The ${role} could not sign in: ${await answer.text()}`);
  return context;
}

/** The median of some loads each. The first load of a page brings its scripts and is not counted. */
async function waitsFor(context: BrowserContext, path: string): Promise<Waits> {
  const found: Waits[] = [];
  for (let load = 0; load <= loads; load += 1) {
    const waits = { ...(await comeThenPress(context, path)), earlyPress: await pressWhileItComes(context, path) };
    if (load > 0) found.push(waits);
  }
  const median = (wait: keyof Waits) => spreadOf(found.map((waits) => waits[wait])).median;
  return { paint: median("paint"), rows: median("rows"), press: median("press"), earlyPress: median("earlyPress") };
}

async function comeThenPress(context: BrowserContext, path: string): Promise<Omit<Waits, "earlyPress">> {
  const { page } = await slowPage(context);
  await page.goto(path, { waitUntil: "commit" });
  const [rows, paint] = [await page.evaluate(rowsCome), await page.evaluate(largestPaint)];
  await page.waitForLoadState("networkidle");
  const heading = page.getByRole("columnheader").getByRole("button").first();
  const folding = page.getByRole("button", { name: /(Collapse|Expand) sidebar/ });
  await ((await heading.count()) > 0 ? heading : folding).click();
  const press = await page.evaluate(slowestPress);
  await page.close();
  return { paint, rows, press };
}

async function pressWhileItComes(context: BrowserContext, path: string): Promise<number> {
  const { page, devtools } = await slowPage(context);
  await page.goto(path, { waitUntil: "commit" });
  let come = false;
  const coming = page.evaluate(rowsCome).finally(() => {
    come = true;
  });
  const pressed: Promise<unknown>[] = [];
  while (!come) {
    // Not awaited: the browser answers when the page does, and somebody who presses does not wait for that. Nothing stands there in the header.
    for (const type of ["mousePressed", "mouseReleased"] as const)
      pressed.push(devtools.send("Input.dispatchMouseEvent", { type, x: 600, y: 28, button: "left", clickCount: 1 }));
    await Bun.sleep(pressEveryMs);
  }
  await Promise.all([coming, ...pressed]);
  const slowest = await page.evaluate(slowestPress);
  await page.close();
  return slowest;
}

async function slowPage(context: BrowserContext): Promise<{ page: Page; devtools: CDPSession }> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowedTimes });
  await page.addInitScript(watchRows);
  return { page, devtools };
}

/** In the page: marks the frame after which nothing is on its way any more. */
function watchRows(): void {
  const skeleton = "#content .animate-breathe";
  let waited = false;
  new MutationObserver((_, observer) => {
    const waiting = document.querySelector(skeleton) !== null;
    waited ||= waiting;
    if (waiting || !waited) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark("rows")));
  }).observe(document, { subtree: true, childList: true });
}

/** In the page: answers once the rows are there. */
async function rowsCome(): Promise<number> {
  while (performance.getEntriesByName("rows").length === 0) await new Promise(requestAnimationFrame);
  return performance.getEntriesByName("rows")[0]?.startTime ?? 0;
}

/** In the page: asked before the first press, after which the browser looks for no larger one. */
function largestPaint(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
      type: "largest-contentful-paint",
      buffered: true,
    });
  });
}

/** In the page: the slowest press so far, from the press to the frame that answers it. The browser tells presses in steps of 8 ms. */
async function slowestPress(): Promise<number> {
  const told: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => told.push(...list.getEntries()));
  observer.observe({ type: "first-input", buffered: true });
  observer.observe({ type: "event", buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  const frame = () => new Promise(requestAnimationFrame);
  const presses = () => told.filter(({ name }) => ["pointerdown", "pointerup", "click"].includes(name));
  while (presses().length === 0) await frame();
  await frame();
  await frame();
  return Math.max(...presses().map(({ duration }) => duration));
}

function keep(): void {
  const { date, machine, commit } = describeRun();
  const run = `${date}, ${machine}, commit ${commit}: ${keys.toLocaleString("en-US")} keys, the median of ${loads} loads.`;
  const table = markdownTable(
    ["Page", "Largest paint", "Rows on the screen", "First press", "Slowest press while it comes"],
    measured.map(({ path, waits }) => [
      `\`${path}\``,
      ...[waits.paint, waits.rows, waits.press, waits.earlyPress].map((ms) => `${ms.toFixed(0)} ms`),
    ]),
  );
  const file = join(import.meta.dir, "../../docs/performance.md");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/(<!-- panel -->)[\s\S]*(<!-- panel end -->)/, `$1\n\n${run}\n\n${table}\n\n$2`));
}
