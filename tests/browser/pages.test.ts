import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accessProblems } from "./axe.ts";
import { adminLogin } from "./latchkey.ts";
import { demoReseller, openStage, signIn } from "./stage.ts";
import {
  gzippedBytes,
  layoutShift,
  lowTargets,
  openTab,
  overflowPixels,
  resize,
  settled,
  sizes,
  type Tab,
} from "./visit.ts";

/** The first load of a page, gzipped (rules.md: Budget). */
const scriptBytesMax = { entrance: 95_000, panel: 130_000 };
const styleBytesMax = 12_000;
const fontBytesMax = 20_000;
/** Of the page itself, as it is sent. Unpacked, class lists that every row of a list repeats would be over the maximum. */
const pageBytesMax = { sent: 20_000, unpacked: 80_000 };

/** Every page (rules.md: Pages) with its title and role. */
const pages = [
  { path: "/", who: "visitor", title: "Sign in · Latchkey" },
  { path: "/register", who: "visitor", title: "Reseller Registration · Latchkey" },
  { path: "/k", who: "visitor", title: "Check your key · Latchkey" },
  { path: "/admin", who: "admin", title: "Overview · Latchkey" },
  { path: "/admin/resellers", who: "admin", title: "Manage Resellers · Latchkey" },
  { path: "/admin/resellers/2/keys", who: "admin", title: "Manage Keys of night.owl · Latchkey" },
  { path: "/admin/resellers/2", who: "admin", title: "night.owl · Latchkey" },
  { path: "/admin/orders/1", who: "admin", title: "Order 1 · Latchkey" },
  { path: "/admin/create-keys", who: "admin", title: "Key Management · Latchkey" },
  { path: "/admin/create-keys?tab=manage", who: "admin", title: "Key Management · Latchkey" },
  { path: "/admin/blocked-devices", who: "admin", title: "Blocked Devices · Latchkey" },
  { path: "/admin/shared-keys", who: "admin", title: "Keys That Seem Shared · Latchkey" },
  { path: "/admin/catalogue", who: "admin", title: "Catalogue · Latchkey" },
  { path: "/admin/catalogue?tab=durations", who: "admin", title: "Catalogue · Latchkey" },
  { path: "/admin/catalogue?tab=prices", who: "admin", title: "Catalogue · Latchkey" },
  { path: "/admin/interventions", who: "admin", title: "Interventions · Latchkey" },
  { path: "/admin/keys/1", who: "admin", title: /^Key …[0-9A-Z]{5} · Latchkey$/ },
  { path: "/admin/online-updates", who: "admin", title: "Online Updates · Latchkey" },
  { path: "/admin/tokens", who: "admin", title: "Referral Tokens · Latchkey" },
  { path: "/admin/database-backup", who: "admin", title: "Database Backup · Latchkey" },
  { path: "/admin/import", who: "admin", title: "Import Keys · Latchkey" },
  { path: "/admin/audit", who: "admin", title: "Audit Log · Latchkey" },
  { path: "/admin/api", who: "admin", title: "API Documentation · Latchkey" },
  { path: "/admin/account", who: "admin", title: "Account · Latchkey" },
  { path: "/admin/api-keys", who: "admin", title: "API Keys · Latchkey" },
  { path: "/admin/webhooks", who: "admin", title: "Webhooks · Latchkey" },
  { path: "/admin/shop-links", who: "admin", title: "Shop Links · Latchkey" },
  { path: "/admin/staff", who: "admin", title: "Staff · Latchkey" },
  { path: "/reseller", who: "reseller", title: "Overview · Latchkey" },
  { path: "/reseller/generate", who: "reseller", title: "Generate Keys · Latchkey" },
  { path: "/reseller/keys", who: "reseller", title: "Manage Keys · Latchkey" },
  { path: "/reseller/keys/2", who: "reseller", title: /^Key …[0-9A-Z]{5} · Latchkey$/ },
  { path: "/reseller/blocked-devices", who: "reseller", title: "Blocked Devices · Latchkey" },
  { path: "/reseller/shared-keys", who: "reseller", title: "Keys That Seem Shared · Latchkey" },
  { path: "/reseller/orders", who: "reseller", title: "Orders · Latchkey" },
  { path: "/reseller/orders/1", who: "reseller", title: "Order 1 · Latchkey" },
  { path: "/reseller/credits", who: "reseller", title: "Credits · Latchkey" },
  { path: "/reseller/api", who: "reseller", title: "API Documentation · Latchkey" },
  { path: "/reseller/account", who: "reseller", title: "Account · Latchkey" },
  { path: "/reseller/api-keys", who: "reseller", title: "API Keys · Latchkey" },
  { path: "/reseller/webhooks", who: "reseller", title: "Webhooks · Latchkey" },
  { path: "/reseller/shop-links", who: "reseller", title: "Shop Links · Latchkey" },
  { path: "/reseller/staff", who: "reseller", title: "Staff · Latchkey" },
] as const;

type Listed = (typeof pages)[number];

/** The requests of these pages depend on the browser, or on how many rows are shown as one. */
const asksByBrowser: string[] = ["/admin/keys/1", "/admin/audit", "/reseller/keys/2"];

/** Parts below a page load with separate scripts, which then make one request each. */
const asksBelow: Record<string, string[]> = {
  "/admin": ["/api/admin/figures?days=30", "/api/admin/figures/resellers?days=30"],
  "/admin/import": ["/api/admin/imports?limit=30"],
  "/reseller": ["/api/reseller/webhooks", "/api/reseller/figures?days=30"],
};

const stage = openStage({}, ["--demo"]);
const weights: { path: string; script: number; styles: number }[] = [];

afterAll(() => {
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  const heaviest = weights.toSorted((a, b) => b.script - a.script);
  console.log("First load, gzipped:");
  for (const { path, script, styles } of heaviest)
    console.log(`  ${path}: script ${kilobytes(script)}, styles ${kilobytes(styles)}`);
  console.log(`The heaviest page is ${heaviest[0]?.path} with ${kilobytes(heaviest[0]?.script ?? 0)} of script.`);
});

/** In another time zone than the server, and with a share sheet: hydration must not depend on them. */
const phone = { viewport: sizes.phone, isMobile: true, hasTouch: true, timezoneId: "Asia/Kolkata" };

/** By role and device. A new tab for each page would take twice the time. */
const tabs = new Map<string, Tab>();

async function tabOf(who: Listed["who"], device: "phone" | "other"): Promise<Tab> {
  const name = `${who} ${device}`;
  const open = tabs.get(name);
  if (open) return open;
  const tab = await openTab(stage.browser, stage.latchkey.url, device === "phone" ? phone : {});
  tabs.set(name, tab);
  const login = who === "admin" ? adminLogin : demoReseller(stage.latchkey);
  if (who !== "visitor") await tab.visit(`entrance of ${name}`, ({ page }) => signIn(page, who, login));
  return tab;
}

/** Calls that the page's head did not preload, and calls that were made twice. */
function askedLate(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const calls = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const told = calls.filter(({ name }) => new URL(name).pathname.startsWith("/api/"));
    return told
      .filter(({ initiatorType }) => initiatorType !== "link")
      .map(({ name }) => name.slice(location.origin.length));
  });
}

/** Opens the page at this size and checks it once it has loaded. */
async function comesWhole(page: Page, { path, who, title }: Listed, size: keyof typeof sizes) {
  await page.setViewportSize(sizes[size]);
  await page.goto(path);
  await settled(page);
  await page.waitForLoadState("networkidle");
  const weight = await gzippedBytes(page);
  const html = await page.evaluate(() => {
    const [{ encodedBodySize, decodedBodySize }] = performance.getEntriesByType("navigation") as [
      PerformanceNavigationTiming,
    ];
    return { sent: encodedBodySize, unpacked: decodedBodySize };
  });
  expect([size, await page.title()]).toEqual([size, typeof title === "string" ? title : expect.stringMatching(title)]);
  expect([size, await page.getByRole("heading", { level: 1 }).count()]).toEqual([size, 1]);
  expect([size, await layoutShift(page)]).toEqual([size, 0]);
  expect([size, await overflowPixels(page)]).toEqual([size, 0]);
  if (!asksByBrowser.includes(path))
    expect([size, ...(await askedLate(page))]).toEqual([size, ...(asksBelow[path] ?? [])]);
  if (size === "desktop") weights.push({ path, ...weight });
  const scriptMax = who === "visitor" ? scriptBytesMax.entrance : scriptBytesMax.panel;
  expect(weight.script, `of ${weight.scripts}`).toBeLessThanOrEqual(scriptMax);
  expect(html.sent).toBeLessThanOrEqual(pageBytesMax.sent);
  expect(html.unpacked).toBeLessThanOrEqual(pageBytesMax.unpacked);
  expect(weight.styles).toBeLessThanOrEqual(styleBytesMax);
  expect(weight.font).toBeLessThanOrEqual(fontBytesMax);
}

const quality = "one h1, no layout shift or axe findings, and fits its width and budget";

test.each(pages)(`on a desktop and on a tablet $path has its title, ${quality}`, async (listed) => {
  const tab = await tabOf(listed.who, "other");
  await tab.visit(`page ${listed.path}`, async ({ page }) => {
    await comesWhole(page, listed, "desktop");
    await comesWhole(page, listed, "tablet");
    expect(await accessProblems(page)).toEqual([]);
    await resize(page, sizes.desktop.width, sizes.desktop.height);
    expect(await accessProblems(page)).toEqual([]);
  });
});

test.each(pages)(`on phones down to 320 px $path has its title, targets of 44 px, ${quality}`, async (listed) => {
  const tab = await tabOf(listed.who, "phone");
  await tab.visit(`page ${listed.path} phone`, async ({ page }) => {
    await comesWhole(page, listed, "phone");
    expect(await accessProblems(page)).toEqual([]);
    await resize(page, 320, 700);
    expect(await overflowPixels(page)).toBe(0);
    expect(await lowTargets(page)).toEqual([]);
  });
});
