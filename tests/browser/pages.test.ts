import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, BrowserContext } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, gzippedBytes, layoutShift, sizes, visit } from "./visit.ts";

setDefaultTimeout(30_000);

/** interface.md, Budget: the first load of a page, gzipped. */
const scriptBytesMax = { entrance: 95_000, panel: 130_000 };
const styleBytesMax = 12_000;

/** Every page of section 2 with its title and heading, and who may see it. */
const pages = [
  { path: "/", who: "nobody", title: "Sign in · Latchkey" },
  { path: "/register", who: "nobody", title: "Reseller Registration · Latchkey" },
  { path: "/admin", who: "admin", title: "Overview · Latchkey" },
  { path: "/admin/resellers", who: "admin", title: "Manage Resellers · Latchkey" },
  { path: "/admin/resellers/2/keys", who: "admin", title: "Manage Keys · Latchkey" },
  { path: "/admin/create-keys", who: "admin", title: "Key Management · Latchkey" },
  { path: "/admin/create-keys?tab=manage", who: "admin", title: "Key Management · Latchkey" },
  { path: "/admin/online-updates", who: "admin", title: "Online Updates · Latchkey" },
  { path: "/admin/tokens", who: "admin", title: "Referral Tokens · Latchkey" },
  { path: "/admin/database-backup", who: "admin", title: "Database Backup · Latchkey" },
  { path: "/admin/api", who: "admin", title: "API Documentation · Latchkey" },
  { path: "/reseller", who: "reseller", title: "Overview · Latchkey" },
  { path: "/reseller/generate", who: "reseller", title: "Generate Keys · Latchkey" },
  { path: "/reseller/keys", who: "reseller", title: "Manage Keys · Latchkey" },
  { path: "/reseller/api", who: "reseller", title: "API Documentation · Latchkey" },
] as const;

let latchkey: Latchkey;
let browser: Browser;
const weights: { path: string; script: number; styles: number }[] = [];

beforeAll(async () => {
  [latchkey, browser] = await Promise.all([startLatchkey({}, ["--demo"]), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await latchkey?.stop();
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  const heaviest = weights.toSorted((a, b) => b.script - a.script);
  console.log("First load, gzipped:");
  for (const { path, script, styles } of heaviest)
    console.log(`  ${path}: script ${kilobytes(script)}, styles ${kilobytes(styles)}`);
  console.log(`The heaviest page is ${heaviest[0]?.path} with ${kilobytes(heaviest[0]?.script ?? 0)} of script.`);
});

async function signIn(context: BrowserContext, who: "nobody" | "admin" | "reseller") {
  if (who === "nobody") return;
  const [, username, password] = latchkey.output().match(/reseller (\S+) with (\S+)/) ?? [];
  const data = who === "admin" ? adminLogin : { username, password };
  const response = await context.request.post(`${latchkey.url}/api/auth/${who}/login`, { data });
  expect(response.status()).toBe(200);
}

describe.each(Object.keys(sizes) as (keyof typeof sizes)[])("on a %s", (size) => {
  test.each(pages)(
    "$path is whole: its title, one h1, nothing that jumps, nothing for axe, within its width and budget",
    ({ path, who, title }) =>
      visit(
        browser,
        latchkey.url,
        `page ${path} ${size}`,
        async ({ page, context }) => {
          await signIn(context, who);
          await page.goto(path);
          await awake(page);
          await page.waitForLoadState("networkidle");
          const weight = await gzippedBytes(page);
          expect(await page.title()).toBe(title);
          expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
          expect(await layoutShift(page)).toBe(0);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
          expect(await accessProblems(page)).toEqual([]);
          if (size === "desktop") weights.push({ path, ...weight });
          expect(weight.script).toBeLessThanOrEqual(who === "nobody" ? scriptBytesMax.entrance : scriptBytesMax.panel);
          expect(weight.styles).toBeLessThanOrEqual(styleBytesMax);
        },
        { viewport: sizes[size] },
      ),
  );
});

test("every page still fits when it is only 320 px wide", () =>
  visit(
    browser,
    latchkey.url,
    "320 px",
    async ({ page, context }) => {
      for (const who of ["nobody", "admin", "reseller"] as const) {
        await context.clearCookies();
        await signIn(context, who);
        for (const { path } of pages.filter((each) => each.who === who)) {
          await page.goto(path);
          await awake(page);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect([path, overflow > 0]).toEqual([path, false]);
        }
      }
    },
    { viewport: { width: 320, height: 700 } },
  ));
