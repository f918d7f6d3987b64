import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TOTP, URI } from "otpauth";
import { createApiKey, createClient, createStaff, registerReseller, signInAdmin, withApiKey } from "../client.ts";
import { adminLogin, runLatchkey, startLatchkey, temporaryFolder } from "../process.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[], { environment = {}, input = "" } = {}) =>
  runLatchkey(words, { environment: { DATA_DIR: folder, ...environment }, input, cwd: folder });

test("admin create creates an admin with the password from standard input, and refuses a taken name", async () => {
  expect((await run(["migrate"])).stdout).toBe(`Created a new database in ${folder}\n`);
  const words = ["admin", "create", "second", "--password-stdin"];
  expect((await run(words, { input: "second-password\n" })).code).toBe(0);
  const again = await run(words, { input: "second-password\n" });
  expect([again.code, again.stderr.trim()]).toEqual([1, "The username second is already taken."]);
  const short = await run(["admin", "create", "third", "--password-stdin"], { input: "12345\n" });
  expect([short.code, short.stderr.trim()]).toEqual([1, "Password must be at least 6 characters"]);
});

test("admin reset-password ends the admin's sessions while the server runs", async () => {
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

test("admin remove ends the admin's sessions and API keys, frees the name and keeps its history, but refuses the last admin", async () => {
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
  const apiKey = { name: "Board", scopes: ["stats:read"], password: login.password };
  const program = withApiKey(newClient(), (await second.post("/api/admin/api-keys", apiKey)).body.key);
  expect((await program.get("/api/admin/stats")).status).toBe(200);

  const removed = await run(["admin", "remove", "second"]);
  expect([removed.code, removed.stdout.trim()]).toEqual([0, "Removed the admin second and ended all sessions."]);
  expect((await second.get("/api/admin/stats")).status).toBe(401);
  expect((await program.get("/api/admin/stats")).body.code).toBe("API_KEY_UNKNOWN");
  expect((await second.post("/api/auth/admin/login", login)).status).toBe(401);
  expect((await run(["admin", "list"])).stdout).toMatch(/^admin {2}since \d{4}-.*Z {2}two-factor off\n$/);
  expect((await run(["admin", "remove", "second"])).stderr.trim()).toBe("There is no admin second.");
  expect((await run(["admin", "remove", "admin"])).stderr.trim()).toBe(
    "admin is the last admin and cannot be removed.",
  );

  expect((await admin.get(`/api/admin/keys/${made.keys[0].id}/details`)).body.createdBy).toBe("Second");
  await registerReseller(newClient, admin, { username: "second" });
  expect((await run(["admin", "create", "SECOND"])).stderr.trim()).toBe("The username SECOND is already taken.");
  await latchkey.stop();
});

test("api-keys lists API keys and revokes one while the server runs, and a reset from the command line deletes them", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(latchkey.url);
  const admin = await signInAdmin(newClient);
  const seller = await registerReseller(newClient, admin, { username: "seller" });
  const programs = [
    withApiKey(newClient(), await createApiKey(seller, "reseller", { scopes: ["keys:order"], creditsPerDay: 5 })),
    withApiKey(newClient(), await createApiKey(admin, "admin", { scopes: ["stats:read"] })),
  ];
  const codes = async () =>
    (await Promise.all(programs.map((each) => each.get("/api/catalogue")))).map(({ body }) => body.code);
  expect(await codes()).toEqual([undefined, undefined]);
  const listed = (await run(["api-keys", "list", "seller"])).stdout;
  expect(listed).toMatch(
    /^1 {2}seller \(reseller\) {2}"Shop" {2}….{4} {2}keys:order {2}never used {2}5 credits a day\n$/,
  );
  expect((await run(["api-keys", "list"])).stdout.split("\n")).toHaveLength(3);
  expect((await run(["api-keys", "revoke", "1"])).stdout).toBe('Deleted the API key "Shop" of seller.\n');
  expect((await run(["api-keys", "revoke", "1"])).stderr).toBe("There is no such API key.\n");
  expect(await codes()).toEqual(["API_KEY_UNKNOWN", undefined]);
  await run(["admin", "reset-password", "admin"]);
  expect(await codes()).toEqual(["API_KEY_UNKNOWN", "API_KEY_UNKNOWN"]);
  await latchkey.stop();
});

test("admin disable-two-factor lets an admin and a reseller without their phones sign in again", async () => {
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
    expect(disabled.stdout.trim()).toBe(`Turned off two-factor sign-in for ${username}.`);
  }
  expect((await run(["admin", "disable-two-factor", "seller"])).stdout.trim()).toBe(
    "Two-factor sign-in was not on for seller.",
  );
  expect((await run(["admin", "disable-two-factor", "nobody"])).stderr.trim()).toBe("There is no account nobody.");
  expect((await signIns()).map(({ status }) => status)).toEqual([200, 200]);
  await latchkey.stop();
});

test("admin list names staff, which has the same commands; the last full admin stays", async () => {
  const latchkey = await startLatchkey({ dataFolder: folder });
  const newClient = () => createClient(latchkey.url);
  const admin = await signInAdmin(newClient);
  const seller = await registerReseller(newClient, admin, { username: "seller" });
  const rights = ["keys:read", "keys:manage"];
  const helper = await createStaff(newClient, seller, "reseller", { username: "helper", rights });
  const assistant = await createStaff(newClient, admin, "admin", { username: "assistant", rights: ["stats:read"] });
  const [first, ...others] = (await run(["admin", "list"])).stdout.split("\n");
  expect(first).toMatch(/^admin {2}since \S+ {2}two-factor off$/);
  expect(others.map((line) => line.replace(/since \S+/, "since then"))).toEqual([
    "helper  since then  two-factor off  staff of seller  keys:read,keys:manage",
    "assistant  since then  two-factor off  staff of the admins  stats:read",
    "",
  ]);
  expect((await run(["admin", "remove", "admin"])).stderr).toBe("admin is the last admin and cannot be removed.\n");
  expect((await run(["admin", "remove", "seller"])).stderr).toBe("There is no admin seller.\n");
  await run(["admin", "reset-password", "helper", "--password-stdin"], { input: "another-password\n" });
  expect((await helper.get("/api/reseller/keys")).status).toBe(401);
  const login = { username: "helper", password: "another-password" };
  expect((await helper.post("/api/auth/reseller/login", login)).status).toBe(200);
  expect((await run(["admin", "disable-two-factor", "helper"])).stdout).toContain("was not on for helper");
  const removed = await run(["admin", "remove", "assistant"]);
  expect(removed.stdout).toBe("Removed the staff account assistant and ended all sessions.\n");
  expect((await assistant.get("/api/admin/stats")).status).toBe(401);
  expect((await admin.get("/api/admin/audit?limit=1")).body).toMatchObject([
    { action: "staff_removed", target: "staff assistant", details: { by: "command line", sessions: 1 } },
  ]);
  await latchkey.stop();
  expect((await run(["check"])).code).toBe(0);
  expect((await run(["backup", join(folder, "with-staff.db")])).code).toBe(0);
  expect((await run(["restore", join(folder, "with-staff.db")])).code).toBe(0);
});
