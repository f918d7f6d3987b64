import { afterAll, beforeAll, setDefaultTimeout } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Cookie, Page } from "playwright-core";
import { type Client, createClient } from "../client.ts";
import { launchChromium } from "./chromium.ts";
import { adminLogin, type Latchkey, startLatchkey } from "./latchkey.ts";
import { awake, type Visit, type VisitOptions, visit } from "./visit.ts";

/** Far above what a test takes: a machine that is busy with something else must not fail it. */
const testMsMax = 60_000;

/** A panel of its own and a browser, for the tests of one file. */
export interface Stage {
  readonly latchkey: Latchkey;
  readonly browser: Browser;
  newClient: () => Client;
  visit: (name: string, walk: (visit: Visit) => Promise<void>, options?: VisitOptions) => Promise<void>;
  /** A visit of the admin, who has signed in and opened this page; it is awake. */
  visitAsAdmin: (
    name: string,
    path: string,
    walk: (page: Page, visit: Visit) => Promise<void>,
    options?: VisitOptions,
  ) => Promise<void>;
}

/** Called once at the top of a file: what it answers is there before the file's first test, and gone after its last. */
export function openStage(environment: Record<string, string> = {}, options: string[] = []): Stage {
  setDefaultTimeout(testMsMax);
  let latchkey: Latchkey;
  let browser: Browser;
  beforeAll(async () => {
    // Each is kept as soon as it is there, so that it is stopped even when the other does not start.
    await Promise.all([
      startLatchkey(environment, options).then((started) => {
        latchkey = started;
      }),
      launchChromium().then((launched) => {
        browser = launched;
      }),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await latchkey?.stop();
  });

  const stage: Stage = {
    get latchkey() {
      return latchkey;
    },
    get browser() {
      return browser;
    },
    newClient: () => createClient(latchkey.url),
    visit: (name, walk, visitOptions) => visit(browser, latchkey.url, name, walk, visitOptions),
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

/** The reseller whose shop the demo shows most of. Its password is in no log. */
export function demoReseller({ dataFolder, output }: Latchkey): { username: string; password: string } {
  const [, username = ""] = output().match(/as the reseller ([\w.]+)/) ?? [];
  return { username, password: readFileSync(join(dataFolder, "demo-password"), "utf8").trim() };
}

/** The sessions of this file's earlier visits, by who signed in: a password costs a server more than a page does. */
const sessions = new Map<string, Cookie[]>();

/** Signs the page's whole context in, without the form. */
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
