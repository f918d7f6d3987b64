import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TOTP, URI } from "otpauth";
import { createClient, registerReseller, signInAdmin } from "../client.ts";
import { adminLogin, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[], { environment = {}, input = "" } = {}) =>
  runLatchkey(words, { environment: { DATA_DIR: folder, ...environment }, input, cwd: folder });

const commands = [
  "serve",
  "admin create",
  "admin list",
  "admin reset-password",
  "admin disable-two-factor",
  "admin remove",
  "migrate",
  "backup",
  "restore",
  "demo",
  "healthcheck",
  "version",
];

describe("every command", () => {
  test("is named by --help", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toContain(`  ${command}`);
  });

  test.each(commands)("%s explains itself with --help, and does nothing then", async (command) => {
    const { code, stdout } = await run([...command.split(" "), "--help"]);
    expect([code, stdout.startsWith(`Usage: latchkey ${command}`)]).toEqual([0, true]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    [["unknown"], "There is no command unknown."],
    [["backup"], "This command takes <file>."],
    [["serve", "now"], "This command takes nothing after it."],
    [["serve", "--fast"], "--fast"],
  ])("%j is wrong usage: exit code 2, and a sentence", async (words, sentence) => {
    const { code, stderr } = await run(words);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});

describe("a wrong setting stops the start with a sentence", () => {
  test.each([
    ["PORT", "http", "PORT must be a number from 0 to 65535."],
    ["PORT", "70000", "PORT must be a number from 0 to 65535."],
    ["PUBLIC_URL", "keys.example.com", "PUBLIC_URL must be an http or https address"],
    ["SECRET", "short", "SECRET must have at least 32 characters."],
    ["TRUSTED_PROXIES", "10.0.0.0/99", "TRUSTED_PROXIES must be addresses or networks"],
    ["TRUSTED_PROXIES", "10.0.0.0/8/9", "TRUSTED_PROXIES must be addresses or networks"],
    ["RATE_LIMITS", "maybe", "RATE_LIMITS must be on or off."],
    ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of debug, info, warning, error."],
    ["MESSAGING_LINK", "javascript:alert(1)", "MESSAGING_LINK must be an http or https address."],
    ["ADMIN_USERNAME", "root", "ADMIN_USERNAME goes together with ADMIN_PASSWORD"],
    ["ADMIN_PASSWORD_FILE", "/nowhere/at/all", "ADMIN_PASSWORD_FILE must be a readable file."],
  ])("%s=%s", async (name, value, sentence) => {
    const { code, stderr } = await run(["serve"], { environment: { [name]: value } });
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("    at ");
  });

  test("an admin that cannot be made", async () => {
    const { code, stderr } = await run(["serve"], { environment: { ADMIN_USERNAME: "me", ADMIN_PASSWORD: "123456" } });
    expect([code, stderr.trim()]).toEqual([
      2,
      "ADMIN_USERNAME and ADMIN_PASSWORD make no admin: Username must be at least 3 characters.",
    ]);
  });

  test("a database that is none", async () => {
    writeFileSync(join(folder, "latchkey.db"), "this is no database, and long enough to be looked at as one");
    for (const words of [["serve"], ["migrate"], ["admin", "create", "boss"]]) {
      const { code, stderr } = await run(words);
      expect([code, stderr]).toEqual([1, expect.stringContaining("The data folder cannot be used:")]);
      expect(stderr).not.toContain("    at ");
    }
  });

  test("a data folder that cannot be made", async () => {
    writeFileSync(join(folder, "file"), "");
    const { code, stderr } = await run(["serve"], { environment: { DATA_DIR: join(folder, "file/data") } });
    expect(code).toBe(1);
    expect(stderr).toContain("DATA_DIR");
  });
});

test("a start prints what it did and where it is, and nothing else", async () => {
  const latchkey = await startLatchkey();
  await createClient(latchkey.url).post("/api/verify", { key: "A", deviceId: "phone", game: "FREE FIRE" });
  await latchkey.stop();
  expect(latchkey.output().trim().split("\n")).toEqual([
    expect.stringMatching(/^Migrated the database: /),
    "Made the first admin, admin.",
    expect.stringMatching(/^Latchkey is ready at http/),
    "Latchkey is stopping.",
  ]);
});

describe("the first admin", () => {
  test("gets a random password that is shown once, and works", async () => {
    const latchkey = await startLatchkey({ environment: { ADMIN_USERNAME: "", ADMIN_PASSWORD: "" } });
    const password = latchkey.output().match(/password: (\S{20})/)?.[1];
    const answer = await createClient(latchkey.url).post("/api/auth/admin/login", { username: "admin", password });
    await latchkey.stop();
    expect(answer.status).toBe(200);
  });

  test("is made from ADMIN_PASSWORD_FILE, and the password is in no output", async () => {
    const file = join(folder, "password");
    writeFileSync(file, "from-a-file-123\n");
    const environment = { ADMIN_USERNAME: "boss", ADMIN_PASSWORD: "", ADMIN_PASSWORD_FILE: file };
    const latchkey = await startLatchkey({ environment });
    const client = createClient(latchkey.url);
    const answer = await client.post("/api/auth/admin/login", { username: "boss", password: "from-a-file-123" });
    await latchkey.stop();
    expect(answer.status).toBe(200);
    expect(latchkey.output()).not.toContain("from-a-file-123");
  });

  test("is not made again, nor its password changed, at the next start", async () => {
    await (await startLatchkey({ dataFolder: folder })).stop();
    const again = await startLatchkey({ dataFolder: folder, environment: { ADMIN_PASSWORD: "another-password" } });
    const client = createClient(again.url);
    expect((await client.post("/api/auth/admin/login", adminLogin)).status).toBe(200);
    await again.stop();
    expect(again.output()).not.toContain("Made the first admin");
  });
});

test("admin create makes an admin with the password from the standard input, and refuses a taken name", async () => {
  const words = ["admin", "create", "second", "--password-stdin"];
  expect((await run(words, { input: "second-password\n" })).code).toBe(0);
  const again = await run(words, { input: "second-password\n" });
  expect([again.code, again.stderr.trim()]).toEqual([1, "The username second is already taken."]);
  const short = await run(["admin", "create", "third", "--password-stdin"], { input: "12345\n" });
  expect([short.code, short.stderr.trim()]).toEqual([1, "Password must be at least 6 characters"]);
});

test("admin reset-password ends the admin's sessions beside a running server", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const reset = await run(["admin", "reset-password", "admin", "--password-stdin"], { input: "a-new-password\n" });
  expect(reset.code).toBe(0);
  expect((await admin.get("/api/admin/stats")).status).toBe(401);
  expect((await admin.post("/api/auth/admin/login", adminLogin)).status).toBe(401);
  const login = { ...adminLogin, password: "a-new-password" };
  expect((await admin.post("/api/auth/admin/login", login)).status).toBe(200);
  await latchkey.stop();
  expect((await run(["admin", "reset-password", "nobody"])).stderr.trim()).toBe("There is no admin nobody.");
});

test.each(["reset-password admin", "list", "remove admin", "disable-two-factor admin"])(
  "admin %s makes no database where there is none",
  async (words) => {
    const { code, stderr } = await run(["admin", ...words.split(" ")]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no database")]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("admin remove ends the admin's sessions, frees the name and keeps what was done under it, but never the last admin", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(latchkey.url);
  const admin = await signInAdmin(newClient);
  expect((await run(["admin", "create", "Second", "--password-stdin"], { input: "second-password\n" })).code).toBe(0);
  const login = { username: "second", password: "second-password" };
  const second = newClient();
  await second.post("/api/auth/admin/login", login);
  const order = {
    game: "FREE FIRE",
    deviceLimit: 1,
    expiryDate: new Date(Date.now() + 86_400_000).toISOString(),
    count: 1,
  };
  const { body: made } = await second.post("/api/admin/keys/generate", order);

  const removed = await run(["admin", "remove", "second"]);
  expect([removed.code, removed.stdout.trim()]).toEqual([0, "Removed the admin second and ended all sessions."]);
  expect((await second.get("/api/admin/stats")).status).toBe(401);
  expect((await second.post("/api/auth/admin/login", login)).status).toBe(401);
  expect((await run(["admin", "list"])).stdout).toMatch(/^admin {2}since \d{4}-.*Z {2}two-factor off\n$/);
  expect((await run(["admin", "remove", "second"])).stderr.trim()).toBe("There is no admin second.");
  expect((await run(["admin", "remove", "admin"])).stderr.trim()).toBe("admin is the last admin, and stays.");

  expect((await admin.get(`/api/admin/keys/${made.keys[0].id}/details`)).body.createdBy).toBe("Second");
  await registerReseller(newClient, admin, { username: "second" });
  expect((await run(["admin", "create", "SECOND"])).stderr.trim()).toBe("The username SECOND is already taken.");
  await latchkey.stop();
});

test("admin disable-two-factor lets an admin and a reseller who lost their phones in again", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(latchkey.url);
  const admin = await signInAdmin(newClient);
  const seller = await registerReseller(newClient, admin, { username: "seller" });
  for (const [client, password] of [
    [admin, adminLogin.password],
    [seller, "test-reseller-password"],
  ] as const) {
    const { body } = await client.post("/api/auth/two-factor", { password });
    await client.post("/api/auth/two-factor/confirm", { code: (URI.parse(body.uri) as TOTP).generate() });
  }
  expect((await run(["admin", "list"])).stdout).toContain("two-factor on");
  const signIns = () =>
    Promise.all([
      newClient().post("/api/auth/admin/login", adminLogin),
      newClient().post("/api/auth/reseller/login", { username: "seller", password: "test-reseller-password" }),
    ]);
  expect((await signIns()).map(({ body }) => body.code)).toEqual(["SECOND_FACTOR_NEEDED", "SECOND_FACTOR_NEEDED"]);
  for (const username of ["ADMIN", "seller"]) {
    const disabled = await run(["admin", "disable-two-factor", username]);
    expect(disabled.stdout.trim()).toBe(`Turned two-factor sign-in off for ${username}.`);
  }
  expect((await run(["admin", "disable-two-factor", "seller"])).stdout.trim()).toBe("It was not on for seller.");
  expect((await run(["admin", "disable-two-factor", "nobody"])).stderr.trim()).toBe("There is no account nobody.");
  expect((await signIns()).map(({ status }) => status)).toEqual([200, 200]);
  await latchkey.stop();
});

test("a command that has to make or migrate the database does not while a server runs on the folder", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run("DELETE FROM schema_migrations");
  connection.close();
  const { code, stderr } = await run(["admin", "create", "second"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("Another Latchkey is running")]);
  await latchkey.stop();
});

test("healthcheck says how the server is, by its exit code", async () => {
  const latchkey = await startLatchkey();
  const port = new URL(latchkey.url).port;
  expect((await run(["healthcheck"], { environment: { PORT: port } })).code).toBe(0);
  await latchkey.stop();
  // Whatever address and name the server is reached by.
  const environment = { HOST: "127.0.0.2", PORT: port, PUBLIC_URL: "https://keys.example.com" };
  const named = await startLatchkey({ environment });
  expect((await run(["healthcheck"], { environment })).code).toBe(0);
  await named.stop();
  expect((await run(["healthcheck"], { environment: { PORT: port } })).code).toBe(1);
});

test("a backup taken beside a running server comes back whole, and the old database is kept", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  await admin.post("/api/admin/online-updates", { title: "Before", message: "the backup" });
  const file = join(folder, "copy.db");
  expect((await run(["backup", file])).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await run(["backup", file])).stderr).toContain("already exists");
  await admin.post("/api/admin/online-updates", { title: "After", message: "the backup" });
  expect((await run(["restore", file])).stderr).toContain("Another Latchkey is running");
  await latchkey.stop();

  const restored = await run(["restore", file]);
  expect(restored.code).toBe(0);
  expect(readdirSync(folder).some((name) => name.startsWith("latchkey.db.replaced."))).toBe(true);
  const again = await startLatchkey({ dataFolder: folder });
  const updates = await createClient(again.url).get("/api/updates");
  expect(updates.body.map(({ title }: { title: string }) => title)).toEqual(["Before"]);
  await again.stop();
});

test("a clock that was set back revives no expired key, and the log says so", async () => {
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

  // As it was written by a server whose clock was two hours ahead of ours.
  const connection = new Connection(join(folder, "latchkey.db"));
  connection.run("UPDATE sessions SET last_seen_at = ?", [Date.now() + 2 * 3_600_000]);
  connection.close();
  const second = await startLatchkey({ dataFolder: folder });
  expect(await ask(second)).toBe("EXPIRED");
  await second.stop();
  expect(second.output()).toContain('"event":"clock_behind"');
  expect(first.output()).not.toContain("clock_behind");
});

test("two servers cannot work on one data folder", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const second = await run(["serve"], { environment: { PORT: "0" } });
  expect([second.code, second.stderr.includes("Another Latchkey is running")]).toEqual([1, true]);
  await latchkey.stop();
});

test("a port that is taken is said in a sentence", async () => {
  const latchkey = await startLatchkey();
  const environment = {
    PORT: new URL(latchkey.url).port,
    HOST: "127.0.0.1",
    ADMIN_USERNAME: "a11",
    ADMIN_PASSWORD: "secret1",
  };
  const { code, stderr } = await run(["serve"], { environment });
  await latchkey.stop();
  expect([code, stderr.includes("Cannot listen on 127.0.0.1")]).toEqual([1, true]);
});

test("what is kept is for its own user's eyes: the folder, the database and the secret", async () => {
  const data = join(folder, "data");
  chmodSync(folder, 0o755);
  const latchkey = await startLatchkey({ dataFolder: folder, environment: { DATA_DIR: data } });
  await latchkey.stop();
  expect(statSync(data).mode & 0o777).toBe(0o700);
  for (const name of ["latchkey.db", "secret"]) expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
});

test("demo fills an empty database with keys of every status, and leaves one with data alone", async () => {
  const filled = await run(["demo"]);
  expect(filled.code).toBe(0);
  const password = filled.stdout.match(/admin\. The password, shown only once: (\S+)/)?.[1];
  const again = await run(["demo"]);
  expect([again.code, again.stderr.trim()]).toEqual([1, "The database is not empty, so no demo was added."]);

  const latchkey = await startLatchkey({ dataFolder: folder });
  const admin = createClient(latchkey.url);
  expect((await admin.post("/api/auth/admin/login", { username: "admin", password })).status).toBe(200);
  const { body: stats } = await admin.get("/api/admin/stats");
  expect(Math.min(...(Object.values(stats) as number[]))).toBeGreaterThan(0);
  const resellers = (await admin.get("/api/admin/resellers")).body;
  const keys = (await admin.get(`/api/admin/resellers/${resellers.at(-1).id}/keys`)).body;
  expect(new Set(keys.map(({ status }: { status: string }) => status))).toEqual(
    new Set(["ACTIVE", "EXPIRED", "REVOKED"]),
  );
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

test("version says the version of package.json", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"));
  expect((await run(["version"])).stdout.trim()).toBe(`latchkey ${version}`);
});
