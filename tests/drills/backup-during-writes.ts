import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BackupStage, openBackupStage } from "../backup-stage.ts";
import { brokenFiles, otherContents, otherSchemas } from "../hostile-backups.ts";
import { runLatchkey, temporaryFolder } from "../process.ts";
import type { Drill } from "./harness/drill.ts";
import { assertIntegrity } from "./harness/integrity.ts";
import { beginMixedWrites, openShop } from "./harness/mixed-writes.ts";
import { storedInFile } from "./harness/stored-database.ts";
import { supervise } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

/** On an idle machine these make about 500 writes a second. */
const writers = 16;
const restMs = 25;

/** Backups start after this many writes: a backup of an empty database would prove nothing. */
const writesBefore = 200;

interface Size {
  backups: number;
  badFiles: number;
}

export const drill: Drill<Size> = {
  number: "R17",
  promise:
    "a backup during 500 writes a second is intact and contains everything acknowledged before it; no damaged, foreign or hostile file touches the database",
  // A copy without the log misses writes only if no checkpoint came between them and the copy.
  sizes: {
    short: { backups: 2, badFiles: 12 },
    long: { backups: 40, badFiles: 200 },
    proof: { backups: 20, badFiles: 0 },
  },
  async run({ backups, badFiles }) {
    const perSecond = await backUpDuringWrites(backups);
    await restoreBadFiles(badFiles);
    return `${backups} backups during ${perSecond.toFixed(0)} writes a second, each intact, nothing acknowledged before it missing; ${badFiles} bad files refused, the database untouched`;
  },
};

/** Returns the writes per second during the backups. */
async function backUpDuringWrites(backups: number): Promise<number> {
  const server = await supervise();
  const folder = temporaryFolder();
  const shop = await openShop(server.url);
  const witness = createWitness();
  const writing = beginMixedWrites({ url: server.url, shop, witness, writers, restMs });
  while (witness.count() < writesBefore) await Bun.sleep(10);
  const [countBefore, startedAt] = [witness.count(), performance.now()];
  for (let made = 0; made < backups; made += 1) {
    const file = join(folder, `${made}.db`);
    const before = witness.snapshot();
    const backup = await runLatchkey(["backup", file], { environment: { DATA_DIR: server.dataFolder } });
    assert.equal(backup.code, 0, backup.stderr);
    const verified = await runLatchkey(["verify", file]);
    assert.equal(verified.code, 0, `A backup could not be restored: ${verified.stderr}`);
    await assertIntegrity(file);
    await before.assertNothingLost(storedInFile(file));
    rmSync(file);
  }
  const perSecond = (witness.count() - countBefore) / ((performance.now() - startedAt) / 1_000);
  await writing.stop();
  assert.equal(await server.stop(), 0);
  await assertIntegrity(server.file);
  await server.close();
  rmSync(folder, { recursive: true });
  return perSecond;
}

async function restoreBadFiles(count: number): Promise<void> {
  const stage = openBackupStage();
  const known = knownBadFiles();
  // Half of the files are known ones, spread over all kinds; the others are damaged at random.
  const step = Math.max(1, Math.ceil(known.length / (count / 2)));
  const chosen = known.filter((_, index) => index % step === 0);
  for (let tried = 0; tried < count; tried += 1) {
    const { what, make } = chosen[tried] ?? randomlyDamaged(tried);
    const file = join(stage.folder, "bad.db");
    make(file, stage);
    const before = readFileSync(stage.live);
    const names = namesIn(stage.folder);
    const restored = await runLatchkey(["restore", file], { environment: { DATA_DIR: stage.folder } });
    assert.equal(restored.code, 1, `${what} was restored: ${restored.stdout}`);
    assert.ok(readFileSync(stage.live).equals(before), `${what} changed the database.`);
    assert.deepEqual(namesIn(stage.folder), names, `${what} left something behind.`);
    rmSync(file, { recursive: true, force: true });
  }
  stage.close();
}

/** The lock file stays in a data folder. */
function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== "latchkey.lock")
    .sort();
}

interface BadFile {
  what: string;
  make: (file: string, stage: BackupStage) => void;
}

function knownBadFiles(): BadFile[] {
  return [
    ...brokenFiles.map(([what, _sentence, make]) => ({ what, make })),
    ...[...otherSchemas, ...otherContents].map(([what, sql]) => ({
      what,
      make: (_file: string, stage: BackupStage) => void stage.prepared("bad.db", sql),
    })),
  ];
}

const pageBytes = 4_096;

/** A valid backup that is truncated at a random byte, or that has one page of random bytes. */
function randomlyDamaged(number: number): BadFile {
  return number % 2 === 0
    ? { what: "A truncated backup", make: (file, { backup }) => writeTruncated(file, readFileSync(backup)) }
    : { what: "A backup with a random page", make: (file, { backup }) => writeNoisy(file, readFileSync(backup)) };
}

function writeTruncated(file: string, bytes: Buffer): void {
  writeFileSync(file, bytes.subarray(0, Math.floor(Math.random() * (bytes.length - 1))));
}

function writeNoisy(file: string, bytes: Buffer): void {
  const page = Math.floor((Math.random() * bytes.length) / pageBytes) * pageBytes;
  crypto.getRandomValues(bytes.subarray(page, page + pageBytes));
  writeFileSync(file, bytes);
}
