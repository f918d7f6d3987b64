import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../process.ts";
import { type Drill, NotRun } from "./harness/drill.ts";
import { holdIntegrity } from "./harness/integrity.ts";
import { beginMixedWrites, openShop } from "./harness/mixed-writes.ts";
import { type Stored, storedInFile } from "./harness/stored.ts";
import { supervise } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

const imageMib = 256;
const cutAfterMs = { min: 50, max: 400 };

/**
 * A power cut leaves what was on the disk, and nothing that the system only meant to write. The disk is an image that is mounted through a
 * loop device: what the file system has not yet written is not in it, so a copy of the image is what a cut would leave. The server stands still
 * while it is copied.
 */
export const drill: Drill<{ cuts: number }> = {
  number: "R2",
  promise:
    "a power cut loses nothing that was acknowledged: what was on the disk at that moment holds it, and is whole",
  sizes: { short: null, long: { cuts: 100 }, proof: { cuts: 15 } },
  longOnly: "it needs root and a loop device, and is for the long run",
  async run({ cuts }) {
    const folder = temporaryFolder();
    const [image, disk] = [join(folder, "disk.img"), join(folder, "disk")];
    mkdirSync(disk);
    const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
    try {
      demand(["truncate", "-s", `${imageMib}M`, image]);
      demand(["mkfs.ext4", "-q", "-F", image]);
      demand(["mount", "-o", "loop", image, disk]);
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
        // What was answered before it stood still is taken in first.
        await Bun.sleep(5);
        const acknowledged = witness.untilNow();
        const left = join(folder, "left.img");
        copyFileSync(image, left);
        process.kill(server.pid(), "SIGCONT");
        await holdOn(left, acknowledged);
      }
      await writing.stop();
      await server.close();
      return `${cuts} power cuts, ${witness.count().toLocaleString("en-US")} acknowledged writes, 0 lost`;
    } finally {
      for (const step of undo) await step();
    }
  },
};

async function holdOn(
  image: string,
  acknowledged: { holdNothingLost: (stored: Stored) => Promise<void> },
): Promise<void> {
  const disk = `${image}.mounted`;
  mkdirSync(disk, { recursive: true });
  demand(["mount", "-o", "loop", image, disk]);
  try {
    const file = join(disk, "data/latchkey.db");
    assert.ok(existsSync(file), "The database is gone.");
    await holdIntegrity(file);
    await acknowledged.holdNothingLost(storedInFile(file));
  } finally {
    Bun.spawnSync(["umount", "--lazy", disk]);
  }
}

function demand(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new NotRun(`${command[0]} refuses: ${stderr.toString().trim()}`);
}
