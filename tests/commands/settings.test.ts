import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TOTP, URI } from "otpauth";
import { withDatabase } from "../backup-stage.ts";
import { createClient, signInAdmin } from "../client.ts";
import { adminLogin, refusedStart, runLatchkey, sharedSecret, startLatchkey, temporaryFolder } from "../process.ts";
import { newNonce, readProof } from "../read-proof.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (words: string[], environment: Record<string, string> = {}) =>
  runLatchkey(words, { environment: { DATA_DIR: folder, ...environment }, cwd: folder });

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const secrets = { before: "k3Jx9_qWm2Zt7-RbV5nY8cLd4Hf6Gs0Pa1", now: "Tz8_Qe1Wv6Lp4-XnM2kS7dRb0Yc5Hg9Ja3" };

describe("latchkey config", () => {
  test("prints every setting and its source, but no secret", async () => {
    const environment = {
      ...{ PORT: "8080", ADMIN_USERNAME: "boss", METRICS_TOKEN: "a-token-for-the-scraper", AUDIT_DAYS: "" },
      ADMIN_PASSWORD_FILE: fileOf("password", "from-a-file-123\n"),
      SECRET_FILE: fileOf("own-secret", `\uFEFF${secrets.now}\r\n`),
    };
    const { code, stdout } = await run(["config"], environment);
    const rows = Object.fromEntries(
      stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/))
        .map(([name, ...rest]) => [name, rest]),
    );
    expect(code).toBe(0);
    expect(rows).toMatchObject({
      PORT: ["8080", "environment"],
      HOST: ["0.0.0.0", "default"],
      PUBLIC_URL: ["not set", "default"],
      DATA_DIR: [folder, "environment"],
      SECRET: ["hidden", `SECRET_FILE (${join(folder, "own-secret")})`],
      SECRET_PREVIOUS: ["not set", "default"],
      ADMIN_PASSWORD: ["hidden", `ADMIN_PASSWORD_FILE (${join(folder, "password")})`],
      METRICS_TOKEN: ["hidden", "environment"],
      AUDIT_DAYS: ["365", "default"],
    });
    for (const secret of [secrets.now, "from-a-file-123", environment.METRICS_TOKEN]) {
      expect(stdout).not.toContain(secret);
    }
  });

  test("warns of settings that are hardly meant, as the log does at the start", async () => {
    const environment = { BACKUP_SHEDULE: "daily", BACKUP_SCHEDULE: "daily" };
    const warning = "BACKUP_SHEDULE is not a setting, so it has no effect. Did you mean BACKUP_SCHEDULE?";
    expect(await run(["config"], environment)).toMatchObject({ code: 0, stderr: `Warning: ${warning}\n` });
    const server = await startLatchkey({ environment, dataFolder: folder });
    await server.stop();
    expect(server.output()).toContain(warning);
    const again = await startLatchkey({ environment, dataFolder: folder });
    await again.stop();
    expect(again.output()).toContain("ADMIN_USERNAME and ADMIN_PASSWORD are only for the first admin");
  });

  test("names an invalid setting", async () => {
    const { code, stderr } = await run(["config"], { SECRET_PREVIOUS: "short" });
    expect([code, stderr.trim()]).toEqual([2, "SECRET_PREVIOUS must have at least 32 characters."]);
  });

  test.each([
    ["PUBLIC_URL", "https://me:hunt-er2@keys.example.com", "https://me:hidden@keys.example.com"],
    ["PUBLIC_URL", "https://keys.example.com?token=hunt-er2", "https://keys.example.com"],
    ["BACKUP_S3", "https://me:1/hunt-er2@s3.example.com/b", "https://me:hidden@s3.example.com/b"],
    ["DATABASE_URL", "mysql://me:1/hunt-er2@db.example.com/d", "mysql://me:hidden@db.example.com/d"],
    ["DATABASE_URL", "postgres:me:hunt-er2@db.example.com/d", "hidden"],
    ["MESSAGING_LINK", "https://hunt-er2@chat.example.com", "https://hidden@chat.example.com"],
    ["TRUSTED_PROXIES", "http://me:hunt?er2@10.0.0.1", "http://me:hidden@10.0.0.1"],
  ])("does not print the password in an address that it refuses: %s=%s", async (name, value, shown) => {
    const { code, stdout, stderr } = await run(["config"], { [name]: value });
    expect([code, stdout + stderr]).toEqual([2, expect.not.stringMatching(/hunt.er2/)]);
    expect(stdout).toMatch(new RegExp(`^${name} +${RegExp.escape(shown)} `, "m"));
  });

  test("accepts a repetitive SECRET_PREVIOUS, which is being replaced", async () => {
    const environment = { SECRET: secrets.now, SECRET_PREVIOUS: "latchkey".repeat(4) };
    expect((await run(["config"], environment)).code).toBe(0);
  });
});

test.each([
  ["DATA_DIR", "here\r"],
  ["PANEL_NAME", "Night Owl\n"],
  ["TRUSTED_PROXIES", "127.0.0.1\t"],
  ["SECRET", `${secrets.now}\u0085`],
  ["SECRET_FILE", "file\r"],
])("%s with a control character prevents the start", async (name, value) => {
  const refused = refusedStart(await run(["serve"], { [name]: value }));
  const message = `${name} must not contain a control character, such as a line break.`;
  expect(refused).toEqual({ code: 2, message: expect.stringContaining(message) });
  expect(readdirSync(folder)).toEqual([]);
});

describe("a secret's file", () => {
  test.each([
    ["that is missing", () => join(folder, "nowhere"), "nowhere does not exist."],
    ["that is a folder", () => folder, "cannot be read."],
    ["that is empty", () => fileOf("empty", "\n"), "SECRET_FILE names an empty file."],
    ["with two line ends", () => fileOf("two", `${secrets.now}\n\n`), "SECRET must not contain a control character"],
    ["with a weak secret", () => fileOf("weak", "short"), "SECRET must have at least 32 characters."],
  ])("%s prevents the start with a sentence", async (_what, file, sentence) => {
    const refused = refusedStart(await run(["serve"], { SECRET_FILE: file() }));
    expect(refused).toEqual({ code: 2, message: expect.stringContaining(sentence) });
  });

  test("in addition to the variable prevents the start", async () => {
    const both = { SECRET: secrets.now, SECRET_FILE: fileOf("other", secrets.before) };
    const refused = refusedStart(await run(["serve"], both));
    expect(refused).toEqual({ code: 2, message: expect.stringContaining("SECRET and SECRET_FILE are both set") });
  });
});

test("changing SECRET with SECRET_PREVIOUS keeps sessions, two-factor sign-in and proofs working", async () => {
  const start = (environment: Record<string, string>) => startLatchkey({ dataFolder: folder, environment });
  const isSigned = async (url: string) => {
    const nonce = newNonce();
    const question = { key: "NO-SUCH-KEY-HERE", game: "FREE FIRE", deviceId: "phone", nonce };
    const { body } = await createClient(url).post("/api/verify", question);
    const { keys } = (await createClient(url).get("/.well-known/latchkey-keys")).body;
    return readProof(body.proof, keys)?.n === nonce;
  };
  const isSignedIn = async (url: string, cookie: string) =>
    (await createClient(url).call("GET", "/api/auth/session", undefined, { cookie })).body.isAuthenticated;

  let latchkey = await start({ SECRET: secrets.before });
  const admin = await signInAdmin(() => createClient(latchkey.url));
  const setup = await admin.post("/api/auth/two-factor", { password: adminLogin.password });
  const totp = URI.parse(setup.body.uri) as TOTP;
  // A code is valid once and within one time step, so the three sign-ins need codes of three steps.
  const codeOf = (stepsOff: number) => totp.generate({ timestamp: Date.now() + stepsOff * totp.period * 1_000 });
  expect((await admin.post("/api/auth/two-factor/confirm", { code: codeOf(-1) })).status).toBe(200);
  expect(await isSigned(latchkey.url)).toBe(true);
  await latchkey.stop();

  const previous = fileOf("previous", `${secrets.before}\n`);
  latchkey = await start({ SECRET: secrets.now, SECRET_PREVIOUS_FILE: previous });
  expect(await isSignedIn(latchkey.url, admin.cookie())).toBe(true);
  const signedInSince = createClient(latchkey.url);
  const login = { ...adminLogin, code: codeOf(0) };
  expect((await signedInSince.post("/api/auth/admin/login", login)).status).toBe(200);
  await latchkey.stop();

  latchkey = await start({ SECRET: secrets.now });
  expect(await isSignedIn(latchkey.url, admin.cookie())).toBe(false);
  expect(await isSignedIn(latchkey.url, signedInSince.cookie())).toBe(true);
  const later = await createClient(latchkey.url).post("/api/auth/admin/login", { ...adminLogin, code: codeOf(1) });
  expect(later.status).toBe(200);
  expect(await isSigned(latchkey.url)).toBe(true);
  await latchkey.stop();

  const refused = refusedStart(await run(["serve"]));
  expect(refused.message).toContain(
    `${join(folder, "secret")} is not the secret that encrypted the active signing key`,
  );
  // A database from before there were signing keys is recognised by its two-factor secrets.
  withDatabase(join(folder, "latchkey.db"), (connection) => connection.run("DELETE FROM signing_keys"));
  expect(refusedStart(await run(["serve"])).message).toContain("decrypts none of the 1 two-factor secrets");
  latchkey = await start({ SECRET: sharedSecret.split("").reverse().join("") });
  expect(latchkey.output()).toContain("1 of 1 two-factor secrets were encrypted with another SECRET");
  await latchkey.stop();
});
