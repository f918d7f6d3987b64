import { Database as Connection } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../src/config/program.ts";
import { createHealth } from "../../src/http/health.ts";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { freePort } from "../free-port.ts";
import { openPanel, type Panel } from "../panel.ts";
import { type Latchkey, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";
import { sendRaw } from "../raw-http.ts";

const healthy = { status: "ok", checks: { read: "ok", write: "ok" }, notes: [] };

describe("with working storage", () => {
  let latchkey: Latchkey;
  beforeAll(async () => {
    // With PUBLIC_URL a server does not print its port, so it needs a fixed one.
    const port = await freePort();
    latchkey = await startLatchkey({ environment: { PUBLIC_URL: "https://keys.example", PORT: String(port) } });
    latchkey = { ...latchkey, url: `http://127.0.0.1:${port}` };
  });
  afterAll(() => latchkey.stop());

  test("/healthz reports that the server is alive, and /readyz that it can read and write", async () => {
    const client = createClient(latchkey.url);
    expect((await client.get("/healthz")).body).toEqual({ status: "ok" });
    const ready = await client.get("/readyz");
    expect([ready.status, ready.body, ready.headers.get("cache-control")]).toEqual([200, healthy, "no-store"]);
  });

  test.each(["10.42.0.7:3000", "latchkey.default.svc", "[fd00::7]:3000"])(
    "only these two respond to the Host %s",
    async (host) => {
      const statusOf = async (path: string) =>
        (await sendRaw(latchkey.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(
          9,
          12,
        );
      expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual(["200", "200"]);
      expect([await statusOf("/"), await statusOf("/api/verify"), await statusOf("/healthz/")]).toEqual([
        "400",
        "400",
        "400",
      ]);
    },
  );
});

test("/healthz shows the version only to signed-in admins", async () => {
  const panel = await openPanel();
  const admin = await signInAdmin(panel.newClient);
  const reseller = await registerReseller(panel.newClient, admin, { username: "curious" });
  const health = async ({ get }: Client) => (await get("/healthz")).body;
  expect(await health(admin)).toEqual({ status: "ok", version });
  expect(await health(reseller)).toEqual({ status: "ok" });
  expect(await health(panel.newClient())).toEqual({ status: "ok" });
  await panel.close();
});

describe("with broken storage", () => {
  let latchkey: Latchkey;
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await (await startLatchkey({ dataFolder: folder })).stop();
    latchkey = await startLatchkey({ dataFolder: folder });
  });
  afterEach(async () => {
    await latchkey.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["a truncated database", () => truncateSync(join(folder, "latchkey.db"), 40_960)],
    ["a missing data folder", () => rmSync(folder, { recursive: true })],
  ])("%s: the server is alive but not ready, and healthcheck reports why", async (_what, harm) => {
    harm();
    const client = createClient(latchkey.url);
    const ready = await client.get("/readyz");
    expect([ready.status, ready.body.status, ready.body.checks.read]).toEqual([
      503,
      "failing",
      "The database cannot be read.",
    ]);
    expect((await client.get("/healthz")).status).toBe(200);
    const environment = { HOST: "127.0.0.1", PORT: new URL(latchkey.url).port };
    expect(await runLatchkey(["healthcheck"], { environment })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The database cannot be read."),
    });
    expect(latchkey.output()).toContain('"event":"not_ready"');
  });
});

describe("/readyz", () => {
  let panel: Panel;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(() => panel.close());

  test("reports storage that cannot be written, and checks again after 10 seconds", async () => {
    const ready = async () => (await panel.newClient().get("/readyz")).body;
    const holder = new Connection(panel.file);
    holder.run("BEGIN IMMEDIATE");
    const failing = { status: "failing", checks: { read: "ok", write: "The storage accepts no writes." }, notes: [] };
    expect(await ready()).toEqual(failing);
    holder.run("ROLLBACK");
    holder.close();
    panel.clock.now += 9_999;
    expect(await ready()).toEqual(failing);
    panel.clock.now += 1;
    expect(await ready()).toEqual(healthy);
  });

  test("stays ready when it has notes for the operator", async () => {
    const { database } = panel;
    const notes = [() => null, () => "It is late."];
    const health = createHealth({ database, notes, isAdmin: async () => false, monotonicMs: () => 0 });
    const response = await health.handle(new Request("http://localhost/readyz"));
    expect([response.status, await response.json()]).toEqual([200, { ...healthy, notes: ["It is late."] }]);
  });
});
