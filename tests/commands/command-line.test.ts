import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeCertificate } from "../certificate.ts";
import { createClient, signInAdmin } from "../client.ts";
import { adminLogin, program, refusedStart, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[], { environment = {}, input = "" } = {}) =>
  runLatchkey(words, { environment: { DATA_DIR: folder, ...environment }, input, cwd: folder });

describe("the server does not start and reports a sentence for", () => {
  test.each([
    ["PORT", "http", "PORT must be a number from 0 to 65535."],
    ["PORT", "70000", "PORT must be a number from 0 to 65535."],
    ["REFUND_DAYS", "366", "REFUND_DAYS must be a number of days, 0 to 365."],
    ["PUBLIC_URL", "keys.example.com", "PUBLIC_URL must be an http or https address"],
    ["SECRET", "short", "SECRET must have at least 32 characters."],
    ["SECRET", "a".repeat(64), "SECRET must not repeat a word or a pattern."],
    ["SECRET", "latchkey".repeat(8), "SECRET must not repeat a word or a pattern."],
    ["SECRET", "0123456789abcdef".repeat(2), "SECRET must not repeat a word or a pattern."],
    ["METRICS_TOKEN", "m", "METRICS_TOKEN must have at least 16 characters."],
    ["METRICS_TOKEN", "m".repeat(16), "METRICS_TOKEN must not repeat a word or a pattern."],
    ["TRUSTED_PROXIES", "10.0.0.0/99", "TRUSTED_PROXIES must be comma-separated addresses or networks"],
    ["TRUSTED_PROXIES", "fe80::1%eth0", "TRUSTED_PROXIES must be comma-separated addresses or networks"],
    ["TRUSTED_PROXIES", "10.0.0.0/8/9", "TRUSTED_PROXIES must be comma-separated addresses or networks"],
    ["RATE_LIMITS", "maybe", "RATE_LIMITS must be on or off."],
    ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of debug, info, warning, error."],
    ["MESSAGING_LINK", "javascript:alert(1)", "MESSAGING_LINK must be an http or https address."],
    ["SECURITY_CONTACT", "security@example.com", "SECURITY_CONTACT must be a mailto: or https: address"],
    ["SECURITY_CONTACT", "http://example.com/holes", "SECURITY_CONTACT must be a mailto: or https: address"],
    [
      "SECURITY_CONTACT",
      "mailto:me@example.com\nExpires: never",
      "SECURITY_CONTACT must not contain a control character",
    ],
    ["WEBHOOK_ALLOW_PRIVATE", "yes", "WEBHOOK_ALLOW_PRIVATE must be on or off."],
    ["TELEGRAM_API", "api.telegram.org", "TELEGRAM_API must be an http or https address"],
    ["TELEGRAM_API", "https://name:secret@telegram.example.com", "TELEGRAM_API must be an http or https address"],
    ["TLS_CERT", "cert.pem", "Set TLS_CERT and TLS_KEY together."],
    ["ADMIN_USERNAME", "root", "Set ADMIN_USERNAME together with ADMIN_PASSWORD"],
    [
      "ADMIN_PASSWORD_FILE",
      "/nowhere/at/all",
      "ADMIN_PASSWORD_FILE must be a readable file: /nowhere/at/all does not exist.",
    ],
  ])("%s=%s", async (name, value, sentence) => {
    const { code, message } = refusedStart(await run(["serve"], { environment: { [name]: value } }));
    expect(code).toBe(2);
    expect(message).toContain(sentence);
    expect(message).not.toContain("    at ");
  });

  test("an invalid setting, as plain text in a terminal", async () => {
    let shown = "";
    const data = (_terminal: unknown, bytes: Uint8Array) => {
      shown += new TextDecoder().decode(bytes);
    };
    const server = Bun.spawn([...program, "serve"], { env: { PORT: "http" }, terminal: { cols: 200, rows: 50, data } });
    expect(await server.exited).toBe(2);
    expect(shown).toMatch(/^\d\d:\d\d:\d\d FATAL PORT must be a number from 0 to 65535\. event=server_failed\s+$/);
  });

  test("an invalid first admin", async () => {
    const environment = { ADMIN_USERNAME: "me", ADMIN_PASSWORD: "123456" };
    expect(refusedStart(await run(["serve"], { environment }))).toEqual({
      code: 2,
      message: "ADMIN_USERNAME and ADMIN_PASSWORD cannot be used: Username must be at least 3 characters.",
    });
  });

  test("a file that is not a database", async () => {
    writeFileSync(join(folder, "latchkey.db"), "this is no database, and long enough to be looked at as one");
    const refused = refusedStart(await run(["serve"]));
    expect(refused).toEqual({ code: 1, message: expect.stringContaining("The data folder cannot be used:") });
    for (const words of [["migrate"], ["admin", "create", "boss"], ["demo"]]) {
      const { code, stderr } = await run(words);
      expect([code, stderr]).toEqual([1, expect.stringContaining("The data folder cannot be used:")]);
      expect(stderr).not.toContain("    at ");
    }
  });

  test("a data folder that cannot be created", async () => {
    writeFileSync(join(folder, "file"), "");
    const environment = { DATA_DIR: join(folder, "file/data") };
    expect(refusedStart(await run(["serve"], { environment }))).toEqual({
      code: 1,
      message: expect.stringContaining("DATA_DIR"),
    });
  });
});

test("a start prints only what it did, its address, and what an operator should know", async () => {
  const latchkey = await startLatchkey();
  await createClient(latchkey.url).post("/api/verify", { key: "A", deviceId: "phone", game: "FREE FIRE" });
  await latchkey.stop();
  const lines = latchkey
    .output()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ message }) => message)).toEqual([
    `Created a new database in ${latchkey.dataFolder}`,
    "Created the first admin, admin.",
    expect.stringMatching(/^Latchkey is ready at http/),
    expect.stringMatching(/^No backups are scheduled/),
    expect.stringMatching(/^RATE_LIMITS is off/),
    "Latchkey is stopping.",
  ]);
  for (const { level, logger, event } of lines) {
    expect([level, logger]).toEqual(
      event === "setting_doubtful" ? ["WARN", "latchkey.settings"] : ["INFO", "latchkey.server"],
    );
  }
});

describe("the first admin", () => {
  const unnamed = { ADMIN_USERNAME: "", ADMIN_PASSWORD: "", LOG_LEVEL: "error" };
  const signIn = (url: string, password: string) =>
    createClient(url).post("/api/auth/admin/login", { username: "admin", password });

  test("gets a random password in a file that only its user can read, never in the log", async () => {
    const latchkey = await startLatchkey({ dataFolder: folder, environment: unnamed });
    const file = join(folder, "first-password");
    const password = readFileSync(file, "utf8").trim();
    expect((await signIn(latchkey.url, password)).status).toBe(200);
    await latchkey.stop();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(latchkey.output()).toContain(`The password is in ${file}`);
    expect(latchkey.output()).not.toContain(password);
  });

  describe("has that file only until the password is changed", () => {
    const file = () => join(folder, "first-password");
    const start = () => startLatchkey({ dataFolder: folder, environment: unnamed });

    test("by the admin, in the panel", async () => {
      const latchkey = await start();
      const password = readFileSync(file(), "utf8").trim();
      const admin = createClient(latchkey.url);
      await admin.post("/api/auth/admin/login", { username: "admin", password });
      const change = (currentPassword: string) =>
        admin.post("/api/auth/password", { currentPassword, newPassword: "a-new-password" });
      expect([(await change("wrong")).status, existsSync(file())]).toEqual([401, true]);
      expect([(await change(password)).status, existsSync(file())]).toEqual([200, false]);
      await latchkey.stop();
    });

    test("by a command", async () => {
      await (await start()).stop();
      expect((await run(["admin", "create", "second"])).code).toBe(0);
      expect((await run(["admin", "reset-password", "second"])).code).toBe(0);
      expect(existsSync(file())).toBe(true);
      expect((await run(["admin", "reset-password", "Admin"])).code).toBe(0);
      expect(existsSync(file())).toBe(false);
    });

    test("elsewhere: the next start removes it", async () => {
      await (await start()).stop();
      await (await start()).stop();
      expect(existsSync(file())).toBe(true);
      writeFileSync(file(), "replaced-meanwhile\n");
      await (await start()).stop();
      expect(existsSync(file())).toBe(false);
    });
  });

  test("gets a password that is shown once in a terminal, where all lines are plain text", async () => {
    let shown = "";
    const ready = Promise.withResolvers<string>();
    const server = Bun.spawn([...program, "serve"], {
      env: { PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder },
      terminal: {
        cols: 200,
        rows: 50,
        data(_terminal, bytes) {
          shown += new TextDecoder().decode(bytes);
          const url = shown.match(/ready at (http:\/\/localhost:\d+)/)?.[1];
          if (url) ready.resolve(url);
        },
      },
    });
    const url = await ready.promise;
    const password = shown.match(/password: (\S{20})/)?.[1] ?? "";
    const response = await signIn(url.replace("localhost", "127.0.0.1"), password);
    server.kill("SIGTERM");
    await server.exited;
    expect([response.status, existsSync(join(folder, "first-password"))]).toEqual([200, false]);
    expect(shown).toMatch(/^\d\d:\d\d:\d\d Created a new database in /);
    expect(shown).not.toContain('{"');
  });

  test("is created from ADMIN_PASSWORD_FILE, and the password is in no output", async () => {
    const file = join(folder, "password");
    writeFileSync(file, "from-a-file-123\n");
    const environment = { ADMIN_USERNAME: "boss", ADMIN_PASSWORD: "", ADMIN_PASSWORD_FILE: file };
    const latchkey = await startLatchkey({ environment });
    const client = createClient(latchkey.url);
    const response = await client.post("/api/auth/admin/login", { username: "boss", password: "from-a-file-123" });
    await latchkey.stop();
    expect(response.status).toBe(200);
    expect(latchkey.output()).not.toContain("from-a-file-123");
  });

  test("is neither created again nor changed at the next start", async () => {
    await (await startLatchkey({ dataFolder: folder })).stop();
    const again = await startLatchkey({ dataFolder: folder, environment: { ADMIN_PASSWORD: "another-password" } });
    const client = createClient(again.url);
    expect((await client.post("/api/auth/admin/login", adminLogin)).status).toBe(200);
    await again.stop();
    expect(again.output()).not.toContain("Created the first admin");
  });
});

test.each([
  [["admin", "create", "boss"]],
  [["admin", "reset-password", "admin"]],
  [["admin", "list"]],
  [["admin", "remove", "admin"]],
  [["admin", "disable-two-factor", "admin"]],
  [["api-keys", "list"]],
  [["demo"]],
  [["backup", "copy.db"]],
])("in a mistyped DATA_DIR %j creates no database", async (words) => {
  for (const data of [folder, join(folder, "mistyped")]) {
    const { code, stderr } = await run(words, { environment: { DATA_DIR: data } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no database in ${data}. Set DATA_DIR`)]);
    expect(readdirSync(folder)).toEqual([]);
  }
});

test("a command does not migrate the database while a server runs on it", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run("DELETE FROM schema_migrations");
  connection.close();
  const { code, stderr } = await run(["admin", "create", "second"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Another Latchkey is running")]);
  await latchkey.stop();
});

test("healthcheck reports the server's health by its exit code", async () => {
  const latchkey = await startLatchkey();
  const port = new URL(latchkey.url).port;
  expect((await run(["healthcheck"], { environment: { PORT: port } })).code).toBe(0);
  await latchkey.stop();
  // With any address and public name.
  const environment = { HOST: "127.0.0.2", PORT: port, PUBLIC_URL: "https://keys.example.com" };
  const named = await startLatchkey({ environment });
  expect((await run(["healthcheck"], { environment })).code).toBe(0);
  await named.stop();
  expect((await run(["healthcheck"], { environment: { PORT: port } })).code).toBe(1);
});

test("with a certificate, the server and healthcheck use https", async () => {
  const { certificateFile, keyFile } = writeCertificate(folder, "first");
  const tls = { TLS_CERT: certificateFile, TLS_KEY: keyFile };
  const latchkey = await startLatchkey({ environment: tls });
  const environment = { ...tls, HOST: "127.0.0.1", PORT: new URL(latchkey.url).port };
  expect(await run(["healthcheck"], { environment })).toMatchObject({ code: 0 });
  await latchkey.stop();
  expect(latchkey.url).toStartWith("https://");
});

describe("the server does not start with a weak or readable secret file:", () => {
  const good = "k3Jx9_qWm2Zt7-RbV5nY8cLd4Hf6Gs0Pa1";

  const asItWas = "Put the file back as it was, or set SECRET to what it contained.";
  const chmod =
    /may be read by others: chmod 600 \S+secret\. If the file system has no such modes, set READABLE_SECRET=on\.$/;

  test("unless READABLE_SECRET allows it", async () => {
    writeFileSync(join(folder, "secret"), good, { mode: 0o640 });
    const server = await startLatchkey({ dataFolder: folder, environment: { READABLE_SECRET: "on" } });
    await server.stop();
    expect(server.output()).toContain("may be read by others, which READABLE_SECRET=on allows");
  });

  test.each([
    ["readable by others", good, 0o644, chmod],
    ["readable by its group", good, 0o640, chmod],
    ["one repeated character", "x".repeat(64), 0o600, `must not repeat a word or a pattern. ${asItWas}`],
    ["too short", "k3Jx9_qWm2", 0o600, `must have at least 32 characters. ${asItWas}`],
  ])("%s", async (_what, secret, mode, sentence) => {
    const file = join(folder, "secret");
    writeFileSync(file, secret);
    chmodSync(file, mode);
    const { code, message } = refusedStart(await run(["serve"]));
    expect(code).toBe(1);
    expect(message).toMatch(sentence);
  });
});

test("a clock that was set back revives no expired key, and is logged", async () => {
  const first = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(first.url));
  const expiryDate = new Date(Date.now() + 3_600_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, keyString: "SOON-OVER", count: 1 };
  await admin.post("/api/admin/keys/generate", order);
  const ask = async (latchkey: { url: string }) =>
    (await createClient(latchkey.url).post("/api/verify", { key: "SOON-OVER", deviceId: "phone", game: "FREE FIRE" }))
      .body.code;
  expect(await ask(first)).toBe("VALID");
  await first.stop();

  // As if written by a server whose clock was two hours ahead.
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run("UPDATE sessions SET last_seen_at = ?", [Date.now() + 2 * 3_600_000]);
  connection.close();
  const second = await startLatchkey({ dataFolder: folder });
  expect(await ask(second)).toBe("EXPIRED");
  await second.stop();
  expect(second.output()).toContain('"event":"clock_behind"');
  expect(first.output()).not.toContain("clock_behind");
});

test("two servers cannot use one data folder", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const second = refusedStart(await run(["serve"], { environment: { PORT: "0" } }));
  expect(second).toEqual({ code: 1, message: expect.stringContaining("Another Latchkey is running") });
  await latchkey.stop();
});

test("a port in use is reported in a sentence", async () => {
  const latchkey = await startLatchkey();
  const environment = {
    PORT: new URL(latchkey.url).port,
    HOST: "127.0.0.1",
    ADMIN_USERNAME: "a11",
    ADMIN_PASSWORD: "secret1",
  };
  const second = refusedStart(await run(["serve"], { environment }));
  await latchkey.stop();
  expect(second).toEqual({ code: 1, message: expect.stringContaining("Cannot listen on 127.0.0.1") });
});

test("only the server's user can read the data folder, the database and the secret", async () => {
  const data = join(folder, "data");
  chmodSync(folder, 0o755);
  const latchkey = await startLatchkey({ dataFolder: folder, environment: { DATA_DIR: data } });
  await latchkey.stop();
  expect(statSync(data).mode & 0o777).toBe(0o700);
  for (const name of ["latchkey.db", "secret"]) expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
});

test("demo fills an empty database with keys of every status, and leaves one with data alone", async () => {
  await run(["migrate"]);
  const filled = await run(["demo"]);
  expect(filled.code).toBe(0);
  const password = filled.stdout.match(/admin\. Password \(shown only once\): (\S+)/)?.[1];
  const again = await run(["demo"]);
  expect([again.code, again.stderr.trim()]).toEqual([1, "The database is not empty, so no sample data was added."]);

  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = createClient(latchkey.url);
  expect((await admin.post("/api/auth/admin/login", { username: "admin", password })).status).toBe(200);
  const { body: stats } = await admin.get("/api/admin/stats");
  expect(Math.min(...(Object.values(stats) as number[]))).toBeGreaterThan(0);
  const resellers = (await admin.get("/api/admin/resellers")).body;
  const keys = (await admin.get(`/api/admin/resellers/${resellers.at(-1).id}/keys`)).body;
  expect(new Set(keys.map(({ status }: { status: string }) => status))).toEqual(
    new Set(["ACTIVE", "PAUSED", "EXPIRED", "REVOKED"]),
  );
  expect(keys.some(({ startedAt }: { startedAt: string | null }) => startedAt === null)).toBe(true);
  const [compensation] = (await admin.get("/api/admin/interventions")).body;
  expect(compensation).toMatchObject({ kind: "compensate", state: "finished", done: compensation.count });
  const ledger = (await admin.get(`/api/admin/resellers/${resellers.at(-1).id}/ledger`)).body;
  expect(ledger.filter(({ reason }: { reason: string }) => reason === "key_extension")).toHaveLength(1);
  const helper = { username: "owl.helper", password: filled.stdout.match(/night\.owl with (\S+)/)?.[1] };
  expect((await createClient(latchkey.url).post("/api/auth/reseller/login", helper)).body.user).toMatchObject({
    ...{ rights: ["keys:read", "keys:manage"], owner: { username: "night.owl" } },
  });
  const copy = await run(["backup", join(folder, "demo.db")]);
  expect([copy.code, existsSync(join(folder, "demo.db"))]).toEqual([0, true]);
  await latchkey.stop();
});

test("serve --demo fills an empty database before it is ready", async () => {
  const latchkey = await startLatchkey({ options: ["--demo"] });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  expect((await admin.get("/api/admin/stats")).body.totalResellers).toBeGreaterThan(5);
  await latchkey.stop();
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s stops a server with exit code 0", async (signal) => {
  const latchkey = await startLatchkey();
  expect(await latchkey.stop(signal)).toBe(0);
  expect(latchkey.output()).toContain("Latchkey is stopping.");
});

test("a server started with SIGHUP ignored keeps running after SIGHUP", async () => {
  const deaf = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", ...program];
  const latchkey = await startLatchkey({ command: deaf });
  process.kill(latchkey.pid, "SIGHUP");
  expect((await createClient(latchkey.url).get("/healthz")).status).toBe(200);
  expect(latchkey.output()).not.toContain("Latchkey is stopping.");
  await latchkey.stop();
});
