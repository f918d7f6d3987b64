import { Database as Connection } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a consistent copy of an open database to `file`, while others go on reading and writing. The copy is checked
 * and on the disk before it gets its name, so a file of that name is always whole. Throws where `file` already exists.
 */
export function copyDatabase(connection: Connection, file: string): void {
  if (existsSync(file)) throw new Error(`${file} already exists.`);
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  try {
    connection.query("VACUUM INTO ?").run(unfinished);
    const problem = problemInCopy(unfinished);
    if (problem) throw new Error(`The copy is damaged (${problem}). Nothing was kept.`);
    flush(unfinished);
    renameSync(unfinished, file);
    flush(dirname(file));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** What is wrong inside a database file, in SQLite's words, or `null`. A ledger that does not add up is wrong too. */
export function problemInCopy(file: string): string | null {
  const copy = new Connection(file, { readonly: true });
  try {
    const integrity = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get()?.integrity_check;
    if (integrity !== "ok") return integrity ?? "no answer to integrity_check";
    if (copy.query("PRAGMA foreign_key_check").get() !== null) return "a row refers to one that is not there";
    return problemInLedger(copy);
  } finally {
    copy.close();
  }
}

function problemInLedger(copy: Connection): string | null {
  const hasLedger = copy.query("SELECT 1 FROM sqlite_schema WHERE name = 'credit_ledger'").get() !== null;
  if (!hasLedger) return null;
  const wrong = copy
    .query(
      `SELECT r.id FROM resellers r
       WHERE r.credits_tenths <> (SELECT coalesce(sum(l.amount_tenths), 0) FROM credit_ledger l WHERE l.reseller_id = r.id)
       LIMIT 1`,
    )
    .get();
  return wrong === null ? null : "a balance is not the sum of its ledger";
}

/** Makes what was written to a file, or a name that was put into a folder, survive a power cut. */
export function flush(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
