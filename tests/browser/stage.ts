import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Cookie, Page } from "playwright-core";
import { type Client, createClient } from "../client.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, openTab, type Tab, type Visit, type VisitOptions } from "./visit.ts";

/** Much longer than a test takes, so that a busy machine does not fail it. */
const testMsMax = 120_000;

/**
 * A page is open for seconds, so the optimizing compilers would take longer than they save, most of all with axe. All
 * tabs share one process, because to start one for each visit takes a tenth of the suite's time.
 */
const flags = ["--js-flags=--no-maglev --no-opt", "--renderer-process-limit=1"];

/** A new panel and a browser for the tests of one file. */
export interface Stage {
  readonly latchkey: Latchkey;
  readonly browser: Browser;
  newClient: () => Client;
  /** In a tab like a new one, except that the panel's files may be in its cache. */
  visit: (name: string, walk: (visit: Visit) => Promise<void>, options?: VisitOptions) => Promise<void>;
  /** Opens this page as the signed-in admin and waits for hydration. */
  visitAsAdmin: (
    name: string,
    path: string,
    walk: (page: Page, visit: Visit) => Promise<void>,
    options?: VisitOptions,
  ) => Promise<void>;
}

/** Call it once at the top of a file. The stage exists from the file's first test until after its last. */
export function openStage(environment: Record<string, string> = {}, options: string[] = []): Stage {
  setDefaultTimeout(testMsMax);
  let latchkey: Latchkey;
  let browser: Browser;
  /** The tabs that no visit uses, by their options. */
  const idle = new Map<string, Tab>();
  beforeAll(async () => {
    // Each is stored as soon as it exists, so that it is stopped even if the other fails to start.
    await Promise.all([
      startLatchkey(environment, options).then((started) => {
        latchkey = started;
      }),
      launchChromium({ args: flags }).then((launched) => {
        browser = launched;
      }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await latchkey?.stop();
    idle.clear();
    sessions.clear();
  });

  const stage: Stage = {
    get latchkey() {
      return latchkey;
    },
    get browser() {
      return browser;
    },
    newClient: () => createClient(latchkey.url),
    async visit(name, walk, { expected, ...context } = {}) {
      const kind = JSON.stringify(context);
      const tab = idle.get(kind) ?? (await openTab(browser, latchkey.url, context));
      // A visit within this one gets another.
      idle.delete(kind);
      let isAsNew = false;
      try {
        await tab.visit(name, walk, expected);
        isAsNew = await tab.renew().catch(() => false);
      } finally {
        if (isAsNew && !idle.has(kind)) idle.set(kind, tab);
        else await tab.close();
      }
    },
    visitAsAdmin: (name, path, walk, visitOptions) =>
      stage.visit(
        name,
        async (visited) => {
          await signIn(visited.page, "admin", adminLogin);
          await visited.page.goto(path);
          await awake(visited.page);
          await walk(visited.page, visited);
        },
        visitOptions,
      ),
  };
  return stage;
}

/** The reseller with the most demo data. The log does not contain its password. */
export function demoReseller({ dataFolder, output }: Latchkey): { username: string; password: string } {
  const [, username = ""] = output().match(/as the reseller ([\w.]+)/) ?? [];
  return { username, password: readFileSync(join(dataFolder, "demo-password"), "utf8").trim() };
}

/** Reuses sessions of earlier visits by account, because signing in is more expensive than loading a page. */
const sessions = new Map<string, Cookie[]>();

/** Signs in the page's context without the form. */
export async function signIn(page: Page, role: "admin" | "reseller", login: object): Promise<void> {
  const context = page.context();
  const who = JSON.stringify([role, login]);
  const kept = sessions.get(who);
  if (kept) {
    await context.addCookies(kept);
    const session = await context.request.get("/api/auth/session");
    if ((await session.json()).isAuthenticated) return;
  }
  const response = await context.request.post(`/api/auth/${role}/login`, { data: login });
  if (response.status() !== 200) throw new Error(`The ${role} could not sign in: ${await response.text()}`);
  sessions.set(who, await context.cookies());
}
