import type { Database as Connection } from "bun:sqlite";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { msPerDay } from "../../core/clock.ts";
import { OperatorError } from "../../core/operator-error.ts";
import { checkDatabase } from "../copies/check.ts";
import { chunksOf } from "../copies/file-chunks.ts";
import { copyDatabase } from "../copies/snapshot.ts";
import { giveToOwnerOf } from "../owner.ts";
import type { Migration } from "./applied-migrations.ts";

/** How long the way back to an older version is kept, but for the newest, which stays. */
export const copyDaysMax = 30;

/** Enough of a hash that two states of one database never share it by accident. */
const fingerprintCharacters = 16;

export interface CopyRequest {
  connection: Connection;
  file: string;
  /** The first migration that is to be applied. */
  migration: Migration;
  migrations: Migration[];
}

/**
 * Keeps the database as it was before a migration, and answers where. There is one copy for a version: a server that
 * fails and is restarted for ever finds the copy it has made, by the fingerprint in its name, and an older one goes.
 * Throws `OperatorError`.
 */
export function copyBefore({ connection, file, migration, migrations }: CopyRequest): string {
  // What is in the journal goes into the file, so that its fingerprint is the same at the next start.
  connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const start = `${file}.before-${migration.name}.`;
  const copy = start + fingerprintOf(file);
  for (const other of copiesOf(file)) if (other.startsWith(start) && other !== copy) rmSync(other);
  if (existsSync(copy)) {
    if (isWhole(copy, migrations)) return copy;
    rmSync(copy);
  }
  copyDatabase(connection, copy, migrations);
  giveToOwnerOf(file, copy);
  return copy;
}

/** Removes copies of more than `copyDaysMax` days ago, but for the newest, and answers which. */
export function removeOldCopies(file: string, now: number): string[] {
  const madeAt = (copy: string) => statSync(copy).mtimeMs;
  const [_newest, ...others] = copiesOf(file).sort((a, b) => madeAt(b) - madeAt(a));
  const old = others.filter((copy) => madeAt(copy) < now - copyDaysMax * msPerDay);
  for (const copy of old) rmSync(copy);
  return old;
}

function copiesOf(file: string): string[] {
  const folder = dirname(file);
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}.before-`));
  return names.map((name) => join(folder, name));
}

function isWhole(copy: string, migrations: Migration[]): boolean {
  try {
    checkDatabase(copy, migrations);
    return true;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

/** Of the file and its journal, should another program keep that from being folded in. */
function fingerprintOf(file: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of [file, `${file}-wal`]) {
    if (existsSync(path)) for (const chunk of chunksOf(path)) hash.update(chunk);
  }
  return hash.digest("hex").slice(0, fingerprintCharacters);
}
