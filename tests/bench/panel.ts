import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { BrowserContext } from "playwright-core";
import { launchChromium } from "../browser/chromium.ts";
import { markdownTable } from "../markdown-table.ts";
import { adminLogin } from "../process.ts";
import { inRounds, median, startBench } from "./bench.ts";

/**
 * `bun run bench:panel` prints how fast pages appear and react, in a browser slowed four times and with a million keys,
 * and when the first load paints over a slow network.
 */
const { values: options } = parseArgs({
  options: {
    loads: { type: "string", default: "5" },
    executable: {
      type: "string",
      default: process.env.LATCHKEY_BINARY ?? join(import.meta.dir, "../../build/latchkey"),
    },
  },
});
const loads = Number(options.loads);
const slowedTimes = 4;
const slowNetwork = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const pages = {
  admin: ["/admin", "/admin/create-keys?tab=manage", "/admin/resellers", "/admin/resellers/2/keys", "/admin/audit"],
  reseller: ["/reseller", "/reseller/keys", "/reseller/orders", "/reseller/credits"],
};

const size = { keys: 1_000_000, keysInUse: 100_000, rounds: 1, seconds: 1 };
const { large } = await startBench(resolve(options.executable), size);
const browser = await launchChromium();
const rows: string[][] = [];
try {
  for (const [role, paths] of Object.entries(pages)) {
    const context = await browser.newContext({ baseURL: large.url, viewport: { width: 1440, height: 900 } });
    const username = role === "admin" ? adminLogin.username : "reseller00001";
    const login = await context.request.post(`/api/auth/${role}/login`, { data: { ...adminLogin, username } });
    if (!login.ok()) throw new Error(`${username} could not sign in: ${await login.text()}`);
    for (const path of paths) {
      // The first load brings the scripts and is not counted.
      const waits = (await inRounds(loads + 1, () => loadAndPress(context, path))).slice(1);
      const medianOf = (wait: "paint" | "rows" | "press") => `${median(waits.map((each) => each[wait])).toFixed(0)} ms`;
      const firstMs = median(await inRounds(3, () => firstPaintMs(context, path)));
      rows.push([`\`${path}\``, medianOf("paint"), medianOf("rows"), medianOf("press"), `${firstMs.toFixed(0)} ms`]);
    }
    await context.close();
  }
} finally {
  await browser.close();
}
console.log(markdownTable(["Page", "Largest paint", "Rows visible", "First press", "First paint, slow network"], rows));
process.exit(0);

/** Presses a column heading to sort the list, or collapses the sidebar if there is no list. */
async function loadAndPress(context: BrowserContext, path: string) {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowedTimes });
  await page.addInitScript(markRows);
  await page.goto(path, { waitUntil: "commit" });
  const [rows, paint] = [await page.evaluate(rowsMs), await page.evaluate(paintMs)];
  await page.waitForLoadState("networkidle");
  const heading = page.getByRole("columnheader").getByRole("button").first();
  const folding = page.getByRole("button", { name: /(Collapse|Expand) sidebar/ });
  await ((await heading.count()) > 0 ? heading : folding).click();
  const press = await page.evaluate(pressMs);
  await page.close();
  return { paint, rows, press };
}

/** Of a first load, at 50 kB/s and 400 ms. The goal is 2.5 s. */
async function firstPaintMs(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
  await devtools.send("Network.emulateNetworkConditions", slowNetwork);
  await page.goto(path);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  const ms = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  await page.close();
  return ms ?? Number.NaN;
}

/** In the page: marks the first frame without skeleton rows. */
function markRows(): void {
  let waited = false;
  new MutationObserver((_, observer) => {
    const isWaiting = document.querySelector("#content .animate-breathe") !== null;
    waited ||= isWaiting;
    if (isWaiting || !waited) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark("rows")));
  }).observe(document, { subtree: true, childList: true });
}

/** In the page. */
async function rowsMs(): Promise<number> {
  while (performance.getEntriesByName("rows").length === 0) await new Promise(requestAnimationFrame);
  return performance.getEntriesByName("rows")[0]?.startTime ?? Number.NaN;
}

/** In the page. Must be read before the first press, after which the browser looks for no larger paint. */
function paintMs(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
      type: "largest-contentful-paint",
      buffered: true,
    });
  });
}

/** In the page: from the press to the frame that shows its effect. */
function pressMs(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries()[0]?.duration ?? Number.NaN)).observe({
      type: "first-input",
      buffered: true,
    });
  });
}
