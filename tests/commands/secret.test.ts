import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { type TOTP, URI } from "otpauth";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import {
  adminLogin,
  type Finished,
  type Latchkey,
  refusedStart,
  runLatchkey,
  startLatchkey,
  temporaryFolder,
} from "../process.ts";
import { newNonce, type Pin, readProof } from "../read-proof.ts";
import { createLink, sell } from "../shop-link.ts";

const secrets = { lost: "k3Jx9_qWm2Zt7-RbV5nY8cLd4Hf6Gs0Pa1", present: "Tz8_Qe1Wv6Lp4-XnM2kS7dRb0Yc5Hg9Ja3" };

let folder: string;
let environment: Record<string, string>;
let drop = async () => {};
beforeEach(async () => {
  folder = temporaryFolder();
  environment = { DATA_DIR: folder, METRICS_TOKEN: "a-token-for-the-scraper" };
  if (!testServer) return;
  const database = await makePostgresDatabase(testServer);
  environment.DATABASE_URL = database.url;
  drop = database.drop;
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await drop();
});

const start = (secret: string, more: Record<string, string> = {}) =>
  startLatchkey({ dataFolder: folder, environment: { ...environment, SECRET: secret, ...more } });
const run = (words: string[], secret: string): Promise<Finished> =>
  runLatchkey(words, { environment: { ...environment, SECRET: secret } });

/** Runs a statement on the database, with or without a server. */
async function execute(statement: string): Promise<unknown[]> {
  const sql = testServer
    ? new SQL(environment.DATABASE_URL as string)
    : new SQL(`sqlite://${join(folder, "latchkey.db")}`);
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.close();
  }
}

async function pinsOf({ url }: Latchkey): Promise<(Pin & { state: string })[]> {
  return (await createClient(url).get("/.well-known/latchkey-keys")).body.keys;
}

/** The key whose proof a game with these pins accepts, or null. */
async function signedBy({ url }: Latchkey, pins: Pin[]): Promise<string | null> {
  const nonce = newNonce();
  const question = { key: "NO-SUCH-KEY-HERE", game: "FREE FIRE", deviceId: "phone", nonce };
  const payload = readProof((await createClient(url).post("/api/verify", question)).body.proof, pins);
  return payload?.n === nonce ? payload.kid : null;
}

const pinsIn = (output: string) =>
  [...output.matchAll(/^ {2}([A-Z0-9]{8}) {2}(\S{43}) {2}(active|next)$/gm)].map(
    ([, kid = "", publicKey = "", state = ""]) => {
      return { kid, publicKey, state };
    },
  );

const addWebhook = async (admin: Client, events: string[]) =>
  (await admin.post("/api/admin/webhooks", { kind: "standard", url: "https://example.com/hook", events })).body;

describe("a SECRET that does not open the active signing key", () => {
  test("prevents the start, and the refusal says what to do", async () => {
    const latchkey = await start(secrets.lost);
    const pins = await pinsOf(latchkey);
    const link = await createLink(await signInAdmin(() => createClient(latchkey.url)), "admin");
    await latchkey.stop();
    const { code, message } = refusedStart(await run(["serve"], secrets.present));
    expect([code, message]).toEqual([
      2,
      `SECRET is not the secret that encrypted the active signing key ${pins[0]?.kid}. Without it verdicts have no proof, and every game with an SDK stops when its lease ends. Set SECRET or SECRET_FILE as for the last start; if that secret is lost for good, run \`latchkey secret lost --dry-run\`.`,
    ]);
    const again = await start(secrets.present, { SECRET_PREVIOUS: secrets.lost });
    expect(await signedBy(again, pins)).toBe(pins[0]?.kid ?? "");
    await again.stop();
    const third = await start(secrets.present);
    expect((await sell(createClient(third.url), link, "sale")).status).toBe(200);
    await third.stop();
  });

  test("in a second process prevents only its start", async () => {
    const latchkey = await start(secrets.lost);
    const { code, message } = refusedStart(await run(["serve"], secrets.present));
    expect([code, message]).toEqual(
      testServer ? [2, expect.stringContaining("is not the secret")] : [1, expect.stringContaining("Another Latchkey")],
    );
    expect(await signedBy(latchkey, await pinsOf(latchkey))).not.toBeNull();
    await latchkey.stop();
  });

  test("if only the next key is encrypted with another one, is a problem that Overview names", async () => {
    await (await start(secrets.lost)).stop();
    await execute("UPDATE signing_keys SET sealed_secret = 'lost' WHERE state = 'next'");
    const latchkey = await start(secrets.lost);
    const admin = await signInAdmin(() => createClient(latchkey.url));
    const { problems, unopenedKeys } = (await admin.get("/api/admin/condition")).body;
    expect([problems.includes("SECRET"), unopenedKeys]).toEqual([true, 1]);
    expect((await admin.get("/readyz")).body.notes).toEqual([]);
    await latchkey.stop();
  });

  test("while a server runs, is on Overview, in /readyz and in the metrics, and the key in memory goes on signing", async () => {
    const latchkey = await start(secrets.lost);
    const admin = await signInAdmin(() => createClient(latchkey.url));
    const pins = await pinsOf(latchkey);
    expect(await signedBy(latchkey, pins)).toBe(pins[0]?.kid ?? "");
    await execute("UPDATE signing_keys SET sealed_secret = 'restored' WHERE state = 'active'");
    const notes = async () => (await admin.get("/readyz")).body.notes;
    while (!(await notes()).includes("SECRET does not open the active signing key.")) await Bun.sleep(20);
    expect((await admin.get("/api/admin/condition")).body.problems).toContain("SECRET");
    const metrics = await admin.call("GET", "/metrics", undefined, {
      authorization: `Bearer ${environment.METRICS_TOKEN}`,
    });
    expect(metrics.text).toContain("\nlatchkey_signing_key_unopened 1\n");
    expect(await signedBy(latchkey, pins)).toBe(pins[0]?.kid ?? "");
    await latchkey.stop();
  });
});

describe("latchkey secret lost", () => {
  /** Fills a database under the secret that is lost, and returns what an owner still has. */
  async function filled() {
    const latchkey = await start(secrets.lost);
    const admin = await signInAdmin(() => createClient(latchkey.url));
    const pins = await pinsOf(latchkey);
    const webhook = await addWebhook(admin, ["order.created"]);
    await admin.post("/api/admin/webhooks", {
      kind: "discord",
      url: "https://discord.com/api/webhooks/1/x",
      events: ["order.created"],
    });
    const { body } = await admin.post("/api/auth/two-factor", { password: adminLogin.password });
    const totp = URI.parse(body.uri) as TOTP;
    const { recoveryCodes } = (await admin.post("/api/auth/two-factor/confirm", { code: totp.generate() })).body;
    await createLink(admin, "admin", { code: recoveryCodes.pop() });
    await latchkey.stop();
    return { pins, webhookId: webhook.id, totp, recoveryCodes: recoveryCodes as string[] };
  }

  test("after a dry run that changes nothing, lets the shop start again", async () => {
    const { pins, webhookId, totp, recoveryCodes } = await filled();
    const dry = await run(["secret", "lost", "--dry-run"], secrets.present);
    const counts = "SECRET did not open: signing keys 2, webhooks 1, shop links 1, two-factor secrets 1.\n";
    expect([dry.code, dry.stderr]).toEqual([0, ""]);
    expect(dry.stdout).toBe(`${counts}Nothing was changed.\n`);
    expect(refusedStart(await run(["serve"], secrets.present)).code).toBe(2);

    const lost = await run(["secret", "lost"], secrets.present);
    expect(lost.stdout).toStartWith(counts);
    const printed = pinsIn(lost.stdout);
    expect(printed.map(({ state }) => state)).toEqual(["active", "next"]);
    expect(printed.some(({ kid }) => pins.some((pin) => pin.kid === kid))).toBe(false);

    const latchkey = await start(secrets.present);
    expect(await pinsOf(latchkey)).toEqual(printed);
    expect([await signedBy(latchkey, printed), await signedBy(latchkey, pins)]).toEqual([printed[0]?.kid ?? "", null]);
    const admin = createClient(latchkey.url);
    const signIn = async (code: string) => (await admin.post("/api/auth/admin/login", { ...adminLogin, code })).status;
    expect([await signIn(totp.generate()), await signIn(recoveryCodes[0] ?? "")]).toEqual([401, 200]);
    expect((await admin.get("/api/admin/shop-links")).body).toMatchObject([{ isActive: false }]);
    const webhooks = (await admin.get("/api/admin/webhooks")).body;
    expect(
      webhooks.map(
        ({ id, isActive, switchedOff }: { id: number; isActive: boolean; switchedOff: { reason: string } | null }) => [
          id,
          isActive,
          switchedOff?.reason,
        ],
      ),
    ).toEqual([
      [webhookId, false, "SECRET_LOST"],
      [expect.any(Number), true, undefined],
    ]);
    const [row] = (await admin.get("/api/admin/audit?action=secret_lost")).body;
    expect(row).toMatchObject({ target: "database", details: { signingKeys: 2, webhooks: 1, twoFactor: 1 } });
    const { unopenedTwoFactor, unopenedKeys } = (await admin.get("/api/admin/condition")).body;
    expect([unopenedTwoFactor, unopenedKeys]).toEqual([0, 0]);
    await admin.call("DELETE", "/api/auth/two-factor", { password: adminLogin.password });
    expect((await admin.post("/api/auth/two-factor", { password: adminLogin.password })).status).toBe(200);
    await latchkey.stop();
  });

  test("a second time changes nothing, and prints the same pins", async () => {
    await filled();
    const pins = pinsIn((await run(["secret", "lost"], secrets.present)).stdout);
    const rows = await execute("SELECT * FROM audit");
    const { code, stdout } = await run(["secret", "lost"], secrets.present);
    expect([code, pinsIn(stdout)]).toEqual([0, pins]);
    expect(stdout).toStartWith("SECRET opens everything that is in use: nothing was changed.\n");
    expect(await execute("SELECT * FROM audit")).toEqual(rows);
  });

  test("takes the next key if it opens, because games have its public half", async () => {
    const latchkey = await start(secrets.present);
    const pins = await pinsOf(latchkey);
    await latchkey.stop();
    await execute("UPDATE signing_keys SET sealed_secret = 'lost' WHERE state = 'active'");
    const printed = pinsIn((await run(["secret", "lost"], secrets.present)).stdout);
    expect(printed[0]).toEqual({ ...(pins[1] as Pin), state: "active" });
    const again = await start(secrets.present);
    expect(await signedBy(again, pins)).toBe(pins[1]?.kid ?? "");
    await again.stop();
  });

  test("refuses while a server runs", async () => {
    const latchkey = await start(secrets.present);
    const { code, stderr } = await run(["secret", "lost"], secrets.present);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Another Latchkey is running|Stop the servers/)]);
    await latchkey.stop();
  });
});
