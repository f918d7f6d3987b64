import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { testServer } from "../database.ts";
import { runLatchkey } from "../process.ts";
import type { Drill } from "./harness/drill.ts";
import { createSteppedClock } from "./harness/stepped-clock.ts";
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

/** A step beyond this stops sales until the clock is confirmed. */
const aheadMsMax = 31 * dayMs;

export const drill: Drill<{ steps: number }> = {
  number: "R19",
  promise:
    "a clock that steps a year ahead, a year behind and back revives no revoked or expired key, opens no limit early, and erases nothing before an operator confirms it",
  onPostgres: true,
  waitsMostly: true,
  sizes: { short: { steps: 6 }, long: { steps: 60 } },
  async run({ steps }) {
    const clock = createSteppedClock();
    const { command } = clock;
    const limits = { RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" };
    const schedule: Record<string, string> = testServer ? {} : { BACKUP_SCHEDULE: "0 3 * * *", BACKUP_KEEP: "30,90d" };
    const environment = { ...clock.environment, ...limits, ...schedule };
    const server = await supervise({ command, environment });
    await startOnceAhead();
    const dead = new Map<string, string>();
    const alive = new Set<string>();
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

      const stepMs = firstSteps[step] ?? (chanceSteps[Math.floor(Math.random() * chanceSteps.length)] as number);
      const newestMs = await newestAuditMs(admin);
      clock.setAhead(clock.aheadMs() + stepMs);
      assert.equal(await guess(server, guesser), 429, "A limit opened when the clock stepped.");
      if (clock.now() > newestMs + aheadMsMax) await confirmClock();
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
    clock.remove();
    return `${steps} steps of the clock, ${Math.floor(steps / restartEvery)} restarts: none of ${expired} expired and ${dead.size - expired} revoked keys revived, no limit opened`;

    /** Data that a start with a clock that is 400 days ahead must not destroy. */
    async function startOnceAhead(): Promise<void> {
      const backups = testServer ? [] : addBackups(join(server.dataFolder, "backups"));
      const before = await auditIds(await signInAdmin(() => createClient(server.url)));
      await server.stop();
      clock.setAhead(400 * dayMs);
      await server.start();
      const admin = await signInAdmin(() => createClient(server.url));
      assert.equal(
        (await makeKey(admin, Date.now() + 401 * dayMs)).body.code,
        "CLOCK_AHEAD",
        "Keys are made while the clock is ahead.",
      );
      // Retention begins half a second after the start.
      const until = performance.now() + 2_000;
      while (performance.now() < until) await createClient(server.url).get("/readyz");
      const since = await auditIds(admin);
      assert.deepEqual(
        before.filter((id) => !since.includes(id)),
        [],
        "The audit log was erased.",
      );
      await server.stop();
      clock.setAhead(0);
      await server.start();
      const again = await signInAdmin(() => createClient(server.url));
      const made = await makeKey(again, Date.now() + dayMs);
      assert.equal(made.status, 201, `No keys are made although the clock is right: ${made.text}`);
      if (!testServer) await assertBackupsKept(again, backups);
      await server.stop();
      await runClocked("clock", "repair");
      await server.start();
      const newest = await newestAuditMs(await signInAdmin(() => createClient(server.url)));
      assert.ok(newest <= Date.now(), `An audit entry is still of the future: ${new Date(newest)}`);
    }

    async function assertBackupsKept(admin: Client, backups: string[]): Promise<void> {
      const { body } = await admin.get("/api/admin/backup/backups");
      const listed = body.backups.map(({ name }: { name: string }) => name);
      assert.deepEqual(
        backups.filter((name) => !listed.includes(name)),
        [],
        "A backup was removed.",
      );
      assert.ok(Date.parse(body.lastGoodAt) <= Date.now(), "A backup of the future is the last good one.");
    }

    async function confirmClock(): Promise<void> {
      await runClocked("clock", "confirm");
      // Sessions from before the step have been idle for too long.
      const admin = await signInAdmin(() => createClient(server.url));
      const sell = async () => makeKey(admin, (await newestAuditMs(admin)) + dayMs);
      while ((await sell()).body.code === "CLOCK_AHEAD") await Bun.sleep(100);
    }

    async function runClocked(...words: string[]): Promise<void> {
      const variables = { ...server.environment, ...clock.environment };
      const { code, stderr } = await runLatchkey(words, { command, environment: variables });
      assert.equal(code, 0, stderr);
    }

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
  const now = await newestAuditMs(admin);
  const keys: string[] = [];
  for (const days of [5, 300]) {
    const made = await makeKey(admin, now + days * dayMs);
    assert.equal(made.status, 201, `A key was not made: ${made.text}`);
    keys.push(made.body.keys[0].keyString);
  }
  return keys;
}

function makeKey(admin: Client, expiresMs: number) {
  const expiryDate = new Date(expiresMs).toISOString();
  return admin.post("/api/admin/keys/generate", { game: "FREE FIRE", deviceLimit: 2, expiryDate, count: 1 });
}

async function newestAuditMs(admin: Client): Promise<number> {
  const { body } = await admin.get("/api/admin/audit?limit=1");
  return Date.parse(body[0].at);
}

async function auditIds(admin: Client): Promise<number[]> {
  return (await admin.get("/api/admin/audit?limit=100")).body.map(({ id }: { id: number }) => id);
}

/** Files with the names of backups of the last days. */
function addBackups(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return [1, 2, 3, 4].map((days) => {
    const name = `latchkey-${new Date(Date.now() - days * dayMs).toISOString().replaceAll(":", "-")}.db.zst`;
    writeFileSync(join(folder, name), "");
    return name;
  });
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
