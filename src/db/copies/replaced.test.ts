import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type BackupStage, openBackupStage } from "../../../tests/backup-stage.ts";
import { msPerDay } from "../../core/clock.ts";
import { removeOldReplaced, removeSecondName } from "./replaced.ts";

let stage: BackupStage;
beforeEach(() => {
  stage = openBackupStage();
});
afterEach(() => stage.close());

test("after a restore was killed at its last step, the database has one name and its journal", () => {
  const kept = `${stage.live}.replaced.1`;
  linkSync(stage.live, kept);
  writeFileSync(`${kept}-wal`, "the journal");
  copyFileSync(stage.backup, `${stage.live}.replaced.2`);
  removeSecondName(stage.live);
  expect(readdirSync(stage.folder).sort()).toEqual(
    ["backup.db", "latchkey.db", "latchkey.db-wal", "latchkey.db.replaced.2"].sort(),
  );
  expect(readFileSync(`${stage.live}-wal`, "utf8")).toBe("the journal");
});

test("databases replaced more than 30 days ago are removed with their journals, except the newest", () => {
  const now = 100 * msPerDay;
  const replacedAt = (day: number) => `${stage.live}.replaced.${day * msPerDay}`;
  const leave = (...paths: string[]) => paths.forEach((path) => void writeFileSync(path, "left"));
  leave(replacedAt(1), `${replacedAt(1)}-wal`, replacedAt(69), replacedAt(71), `${stage.live}.replaced.by.hand`);
  expect(removeOldReplaced(stage.live, now).sort()).toEqual([replacedAt(1), replacedAt(69)].sort());
  expect(
    readdirSync(stage.folder)
      .filter((name) => name.includes("replaced"))
      .sort(),
  ).toEqual([`latchkey.db.replaced.${71 * msPerDay}`, "latchkey.db.replaced.by.hand"].sort());
  expect(removeOldReplaced(stage.live, now + 1_000 * msPerDay)).toEqual([]);
});
