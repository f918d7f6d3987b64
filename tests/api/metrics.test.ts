import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey, temporaryFolder } from "../process.ts";

const token = "a-token-for-the-scraper";
const keyString = "METERED-KEY-1";
let latchkey: Latchkey;
let admin: Client;
const newClient = () => createClient(latchkey.url);
const scrape = (authorization?: string) =>
  newClient().call("GET", "/metrics", undefined, authorization === undefined ? {} : { authorization });

beforeAll(async () => {
  latchkey = await startLatchkey({ environment: { METRICS_TOKEN: token, RATE_LIMITS: "on" } });
  admin = await signInAdmin(newClient);
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  await admin.post("/api/admin/keys/generate", { game: "FREE FIRE", deviceLimit: 1, count: 1, keyString, expiryDate });
});
afterAll(() => latchkey.stop());

/** The values by series, with name and labels as printed. */
async function valuesOf(): Promise<Record<string, number>> {
  const { text } = await scrape(`Bearer ${token}`);
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

/** Returns how much each series grew during the action. */
async function growthBy(action: () => Promise<unknown>): Promise<(series: string) => number> {
  const before = await valuesOf();
  await action();
  const after = await valuesOf();
  return (series) => (after[series] ?? 0) - (before[series] ?? 0);
}

describe("/metrics", () => {
  test.each([
    ["nothing", undefined],
    ["another token", "Bearer a-token-for-the-scrapex"],
    ["the token without its scheme", token],
    ["the token's beginning", `Bearer ${token.slice(0, -1)}`],
  ])("with %s responds with an empty 401", async (_what, authorization) => {
    const response = await scrape(authorization);
    expect([response.status, response.text, response.headers.get("www-authenticate")]).toEqual([401, "", "Bearer"]);
  });

  test("with the token is in Prometheus' text format and may not be cached", async () => {
    const { status, headers, text } = await scrape(`Bearer ${token}`);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "no-store",
    ]);
    const sample = /^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$/;
    for (const line of text.trimEnd().split("\n")) {
      expect(line).toMatch(
        line.startsWith("#") ? /^# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))$/ : sample,
      );
    }
  });

  test("is a 404 without METRICS_TOKEN, and accepts the token in METRICS_TOKEN_FILE", async () => {
    const folder = temporaryFolder();
    const without = await startLatchkey();
    const authorization = `Bearer ${token}`;
    const closed = await createClient(without.url).call("GET", "/metrics", undefined, { authorization });
    await without.stop();
    expect([closed.status, closed.text.includes("404 Page Not Found")]).toEqual([404, true]);

    writeFileSync(join(folder, "token"), `${token}\n`);
    const byFile = await startLatchkey({ environment: { METRICS_TOKEN_FILE: join(folder, "token") } });
    const open = await createClient(byFile.url).call("GET", "/metrics", undefined, { authorization });
    await byFile.stop();
    rmSync(folder, { recursive: true });
    expect(open.status).toBe(200);
  });
});

describe("metrics count", () => {
  test("requests by route and status, including those of game clients", async () => {
    const grown = await growthBy(async () => {
      await admin.get("/api/admin/stats");
      await newClient().get("/api/admin/stats");
      await newClient().get("/nothing");
      await newClient().post("/api/verify", {});
      await newClient().get("/api/updates");
    });
    const timed = (method: string, route: string, status: number) =>
      grown(`latchkey_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`);
    expect(timed("GET", "/api/admin/stats", 200)).toBe(1);
    expect(timed("GET", "/api/admin/stats", 401)).toBe(1);
    expect(timed("GET", "no route", 404)).toBe(1);
    expect(timed("POST", "/api/verify", 422)).toBe(1);
    expect(timed("GET", "/api/updates", 200)).toBe(1);
  });

  test("verdicts by code, and committed writes such as a new device", async () => {
    const ask = (key: string, deviceId: string) =>
      newClient().post("/api/verify", { key, deviceId, game: "FREE FIRE" });
    const grown = await growthBy(async () => {
      await ask(keyString, "phone-1");
      await ask(keyString, "phone-1");
      await ask(keyString, "phone-2");
      await ask("NO-SUCH-KEY-1234", "phone-1");
    });
    const verdicts = (code: string) => grown(`latchkey_verdicts_total{code="${code}"}`);
    expect([verdicts("VALID"), verdicts("DEVICE_LIMIT_REACHED"), verdicts("NOT_FOUND")]).toEqual([2, 1, 1]);
    expect(grown("latchkey_writes_total")).toBeGreaterThan(0);
    expect(grown("latchkey_commit_seconds_count")).toBeGreaterThan(0);
  });

  test("refusals by rate limit", async () => {
    const grown = await growthBy(async () => {
      for (let guess = 0; guess < 25; guess += 1) {
        await newClient().post("/api/verify", { key: `NO-SUCH-KEY-${guess}`, deviceId: "p", game: "FREE FIRE" });
      }
    });
    // The previous test's failed lookup also counts if that test ran.
    expect(grown('latchkey_limit_hits_total{limit="failed_lookups"}')).toBeWithin(5, 7);
  });
});

test("metrics show file sizes, open sockets, waiting writes and event loop delay", async () => {
  const values = await valuesOf();
  expect(values.latchkey_database_bytes).toBeGreaterThan(4_096);
  expect(values.latchkey_wal_bytes).toBeGreaterThan(0);
  expect(values.latchkey_disk_free_bytes).toBeGreaterThan(0);
  expect(values.latchkey_sockets).toBe(0);
  expect(values.latchkey_writes_waiting).toBe(0);
  expect(values.latchkey_event_loop_delay_seconds_count).toBeGreaterThan(0);
  expect(values.process_resident_memory_bytes).toBeGreaterThan(0);
  const info = Object.keys(values).filter((name) => name.startsWith("latchkey_info"));
  expect(info).toEqual([expect.stringMatching(/^latchkey_info\{version="0\.1\.0(\+[0-9a-f-]+(dirty)?)?"\}$/)]);
});

describe("every metric named in the docs exists:", () => {
  const read = (name: string) => readFileSync(join(import.meta.dir, "../../docs", name), "utf8");
  const named = (text: string) =>
    new Set(text.match(/\b(latchkey|process)_[a-z]+(_[a-z]+)+\b|\blatchkey_(info|sockets)\b/g));
  // This one appears only after the first backup.
  const later = "latchkey_last_backup_timestamp_seconds";

  test.each(["grafana-dashboard.json", "operating.md"])("%s", async (file) => {
    const series = new Set([later, ...Object.keys(await valuesOf()).map((name) => name.replace(/\{.*/, ""))]);
    const families = new Set([...series].flatMap((name) => [name, name.replace(/_(bucket|sum|count)$/, "")]));
    const unknown = [...named(read(file))].filter((name) => !families.has(name));
    expect([unknown, named(read(file)).size > 10]).toEqual([[], true]);
  });

  test("the dashboard shows every metric", async () => {
    const shown = named(read("grafana-dashboard.json"));
    const families = Object.keys(await valuesOf()).map((name) => name.replace(/\{.*/, ""));
    const isShown = (name: string) =>
      [...shown].some(
        (each) => each.replace(/_bucket$|_sum$|_count$/, "") === name.replace(/_(bucket|sum|count)$/, ""),
      );
    expect(families.filter((name) => !isShown(name) && name !== "process_uptime_seconds")).toEqual([]);
  });
});
