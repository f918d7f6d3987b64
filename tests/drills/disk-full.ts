import assert from "node:assert/strict";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type ApiResponse, createClient, type ResellerClient } from "../client.ts";
import { runLatchkey, temporaryFolder } from "../process.ts";
import { type Drill, NotRun } from "./harness/drill.ts";
import { assertIntegrity } from "./harness/integrity.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { type Supervised, supervise } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

const diskMib = 48;
const recoveryMsMax = 1_000;
const writesMax = 2_000;
const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 100 };

export const drill: Drill<{ times: number }> = {
  number: "R3",
  promise:
    "on a full disk writes get a 503 in JSON, reads continue, and no partial backup remains; within 1 s of free space writes succeed again",
  sizes: { short: { times: 2 }, long: { times: 30 } },
  async run({ times }) {
    const disk = temporaryFolder();
    mount(disk);
    const backups = join(disk, "backups");
    mkdirSync(backups);
    const dataFolder = join(disk, "data");
    mkdirSync(dataFolder);
    const server = await supervise({ dataFolder, environment: { BACKUP_DIR: backups } });
    try {
      return await fillAgainAndAgain(server, { disk, backups, times });
    } finally {
      await server.close();
      Bun.spawnSync(["umount", "--lazy", disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  },
};

function mount(folder: string): void {
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${diskMib}m`, "tmpfs", folder]);
  if (mounted.exitCode === 0) return;
  rmSync(folder, { recursive: true });
  throw new NotRun("a small disk could not be mounted, which needs root");
}

async function fillAgainAndAgain(
  server: Supervised,
  { disk, backups, times }: { disk: string; backups: string; times: number },
): Promise<string> {
  const shop = await openShop(server.url, 1);
  const reseller = shop.resellers[0] as ResellerClient;
  const client = createClient(server.url);
  const witness = createWitness();
  const verify = (key: string, deviceId: string) => client.post("/api/verify", { key, deviceId, game: "FREE FIRE" });
  const unused: string[] = [];
  const buy = async () => {
    const response = await reseller.post("/api/reseller/keys/generate", order);
    if (response.status !== 201) return response;
    for (const { keyString } of response.body.keys) {
      witness.acknowledged("key", keyString);
      unused.push(keyString);
    }
    return response;
  };
  await buy();
  const known = unused.pop() as string;
  await verify(known, "phone");
  let slowestMs = 0;

  for (let time = 0; time < times; time += 1) {
    const ballast = join(disk, "ballast");
    fill(ballast);
    const refused = await untilRefused(buy);
    assert.deepEqual(
      [refused.status, refused.body?.code],
      [503, "STORAGE_UNAVAILABLE"],
      `A purchase got: ${refused.text}`,
    );

    const device = await untilRefused(() => verify(unused.pop() as string, "phone"));
    assert.deepEqual([device.status, device.body?.valid], [503, false], `A new device got: ${device.text}`);
    const token = await untilRefused(() => shop.admin.post("/api/admin/tokens/generate", {}));
    assert.equal(token.status, 503);
    assert.equal((await verify(known, "phone")).body?.code, "VALID");
    for (const path of ["/api/reseller/profile", "/api/reseller/keys?limit=50", "/api/reseller/orders", "/"]) {
      assert.ok([200, 303, 302].includes((await reseller.get(path)).status), `${path} cannot be read`);
    }
    const copy = join(backups, "by-hand.db");
    const command = await runLatchkey(["backup", copy], { environment: { DATA_DIR: server.dataFolder } });
    assert.equal(command.code, 1, `A backup on a full disk succeeded: ${command.stdout}`);
    await shop.admin.post("/api/admin/backup/backups");
    while ((await shop.admin.get("/api/admin/backup/backups")).body.underWay !== null) await Bun.sleep(20);
    const left = readdirSync(backups);
    assert.equal(left.length, 0, `Failed backups left ${left.join(", ")}.`);

    rmSync(ballast);
    const spaceAt = performance.now();
    while ((await buy()).status !== 201) {
      assert.ok(performance.now() - spaceAt < recoveryMsMax, "A write is refused a second after space is free.");
      await Bun.sleep(10);
    }
    slowestMs = Math.max(slowestMs, performance.now() - spaceAt);
    await server.kill();
    await assertIntegrity(server.file);
    await server.start();
    await witness.assertNothingLost(server.stored);
  }
  return `full ${times} times, ${witness.count().toLocaleString("en-US")} acknowledged writes, 0 lost; writes succeed at most ${slowestMs.toFixed(0)} ms after space is free`;
}

/** Writes until the server refuses: where a batch of keys does not fit, a device may still fit. */
async function untilRefused(write: () => Promise<ApiResponse>): Promise<ApiResponse> {
  let response = await write();
  for (let written = 1; response.status < 300 && written < writesMax; written += 1) response = await write();
  return response;
}

/** Fills the disk to the last byte. */
function fill(file: string): void {
  const descriptor = openSync(file, "w");
  for (let bytes = 1 << 20; bytes >= 1; ) {
    try {
      if (writeSync(descriptor, new Uint8Array(bytes)) < bytes) bytes >>= 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      bytes >>= 1;
    }
  }
  closeSync(descriptor);
}
