import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../process.ts";
import { type Drill, NotRun } from "./harness/drill.ts";
import { assertIntegrity } from "./harness/integrity.ts";
import { beginMixedWrites, openShop } from "./harness/mixed-writes.ts";
import { type StoredDatabase, storedInFile } from "./harness/stored-database.ts";
import { supervise } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

const imageMib = 256;
const cutAfterMs = { min: 50, max: 400 };

/**
 * A power cut leaves only what was already on the disk. The disk is an image file mounted through a loop device. Writes
 * that the file system has not flushed are not in the image, so a copy of it is what a power cut would leave. The
 * server is paused during the copy.
 */
export const drill: Drill<{ cuts: number }> = {
  number: "R2",
  promise:
    "a power cut loses nothing that was acknowledged: the disk contains it at that moment, and the database is intact",
  sizes: { short: null, long: { cuts: 100 }, proof: { cuts: 15 } },
  longOnly: "it needs root and a loop device, so only the long run includes it",
  async run({ cuts }) {
    const folder = temporaryFolder();
    const [image, disk] = [join(folder, "disk.img"), join(folder, "disk")];
    mkdirSync(disk);
    const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
    try {
      runRequired(["truncate", "-s", `${imageMib}M`, image]);
      runRequired(["mkfs.ext4", "-q", "-F", image]);
      runRequired(["mount", "-o", "loop", image, disk]);
      undo.unshift(() => Bun.spawnSync(["umount", "--lazy", disk]));
      const dataFolder = join(disk, "data");
      mkdirSync(dataFolder);
      const server = await supervise({ dataFolder });
      undo.unshift(() => server.kill());
      const shop = await openShop(server.url);
      const witness = createWitness();
      const writing = beginMixedWrites({ url: server.url, shop, witness });
      for (let cut = 0; cut < cuts; cut += 1) {
        await Bun.sleep(cutAfterMs.min + Math.random() * (cutAfterMs.max - cutAfterMs.min));
        process.kill(server.pid(), "SIGSTOP");
        // Responses sent before the pause must be recorded first.
        await Bun.sleep(5);
        const acknowledged = witness.snapshot();
        const left = join(folder, "left.img");
        copyFileSync(image, left);
        process.kill(server.pid(), "SIGCONT");
        await assertRecovered(left, acknowledged);
      }
      await writing.stop();
      await server.close();
      return `${cuts} power cuts, ${witness.count().toLocaleString("en-US")} acknowledged writes, 0 lost`;
    } finally {
      for (const step of undo) await step();
    }
  },
};

async function assertRecovered(
  image: string,
  acknowledged: { assertNothingLost: (stored: StoredDatabase) => Promise<void> },
): Promise<void> {
  const disk = `${image}.mounted`;
  mkdirSync(disk, { recursive: true });
  runRequired(["mount", "-o", "loop", image, disk]);
  try {
    const file = join(disk, "data/latchkey.db");
    assert.ok(existsSync(file), "The database is gone.");
    await assertIntegrity(file);
    await acknowledged.assertNothingLost(storedInFile(file));
  } finally {
    Bun.spawnSync(["umount", "--lazy", disk]);
  }
}

function runRequired(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new NotRun(`${command[0]} failed: ${stderr.toString().trim()}`);
}
