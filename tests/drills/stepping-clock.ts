import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { temporaryFolder } from "../process.ts";
import type { Drill } from "./harness/drill.ts";
import { type Supervised, supervise } from "./harness/supervisor.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

/** The steps begin with those that operators or batteries cause, and continue at random. */
const firstSteps = [6 * dayMs, -6 * dayMs, yearMs, -2 * yearMs, yearMs + hourMs, -hourMs];
const chanceSteps = [-yearMs, -dayMs, -hourMs, hourMs, 6 * dayMs, yearMs];

/** The server restarts after this many steps, and then knows the time only from its database. */
const restartEvery = 3;

const failedLookupsMax = 20;

export const drill: Drill<{ steps: number }> = {
  number: "R19",
  promise:
    "a clock that steps a year ahead, a year behind and back revives no revoked or expired key, and opens no limit early",
  onPostgres: true,
  sizes: { short: { steps: 6 }, long: { steps: 60 } },
  async run({ steps }) {
    const folder = temporaryFolder();
    const clock = join(folder, "ahead");
    const server = await supervise({
      command: [process.execPath, join(import.meta.dir, "harness/clocked-server.ts")],
      environment: { CLOCK_AHEAD: clock, RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" },
    });
    const dead = new Map<string, string>();
    const alive = new Set<string>();
    let aheadMs = 0;
    for (let step = 0; step < steps; step += 1) {
      const admin = await signInAdmin(() => createClient(server.url));
      for (const key of await makeKeys(admin)) alive.add(key);
      const revoked = [...alive][0] as string;
      await revoke(admin, revoked);
      dead.set(revoked, "REVOKED");
      alive.delete(revoked);
      const guesser = `198.51.${Math.floor(step / 250)}.${step % 250}`;
      for (let tried = 0; tried < failedLookupsMax; tried += 1) await guess(server, guesser);
      assert.equal(await guess(server, guesser), 429);

      aheadMs += firstSteps[step] ?? (chanceSteps[Math.floor(Math.random() * chanceSteps.length)] as number);
      writeFileSync(clock, String(aheadMs));
      assert.equal(await guess(server, guesser), 429, "A limit opened when the clock stepped.");
      await assertStillDead();
      if (step % restartEvery === restartEvery - 1) {
        // The next start takes the time from the last write.
        await signInAdmin(() => createClient(server.url));
        await server.stop();
        await server.start();
        await assertStillDead();
      }
    }
    const expired = [...dead.values()].filter((code) => code === "EXPIRED").length;
    assert.ok(expired > 0, "No key expired.");
    await server.close();
    rmSync(folder, { recursive: true });
    return `${steps} steps of the clock, ${Math.floor(steps / restartEvery)} restarts: none of ${expired} expired and ${dead.size - expired} revoked keys revived, no limit opened`;

    async function assertStillDead(): Promise<void> {
      for (const [key, code] of dead) assert.equal(await verdictOn(server, key), code, `A dead key revived.`);
      for (const key of alive) {
        const code = await verdictOn(server, key);
        if (code !== "EXPIRED") continue;
        alive.delete(key);
        dead.set(key, code);
      }
    }
  },
};

/** One key that a step of days expires and one that it does not. The first verification connects the device. */
async function makeKeys(admin: Client): Promise<string[]> {
  const { body } = await admin.get("/api/admin/audit?limit=1");
  const now = Date.parse(body[0].at);
  const keys: string[] = [];
  for (const days of [5, 300]) {
    const expiryDate = new Date(now + days * dayMs).toISOString();
    const order = { game: "FREE FIRE", deviceLimit: 2, expiryDate, count: 1 };
    const made = await admin.post("/api/admin/keys/generate", order);
    assert.equal(made.status, 201, `A key was not made: ${made.text}`);
    keys.push(made.body.keys[0].keyString);
  }
  return keys;
}

async function revoke(admin: Client, keyString: string): Promise<void> {
  const { body } = await admin.get(`/api/admin/keys/manage?search=${keyString}&limit=1`);
  assert.equal((await admin.call("DELETE", `/api/admin/keys/${body.keys[0].id}`)).status, 200);
}

async function verdictOn({ url }: Supervised, key: string): Promise<string> {
  return (await createClient(url).post("/api/verify", { key, deviceId: "phone", game: "FREE FIRE" })).body.code;
}

async function guess({ url }: Supervised, address: string): Promise<number> {
  const request = { key: "NO-KEY", deviceId: "phone", game: "FREE FIRE" };
  return (await createClient(url).post("/api/verify", request, { "x-forwarded-for": address })).status;
}
