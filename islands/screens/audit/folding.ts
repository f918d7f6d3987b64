import type { AuditEntry } from "../../../src/audit/schema.ts";

/** Migrations of one start follow each other within this time: on many rows one takes minutes. */
const gapMsMax = 10 * 60_000;

/** The entries as the page shows them, newest first: the migrations of one start are one row. */
export function folded(entries: readonly AuditEntry[]): AuditEntry[] {
  const runs: [AuditEntry, ...AuditEntry[]][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && ofOneStart(entry, run.at(-1) as AuditEntry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.map(asOne);
}

function ofOneStart(earlier: AuditEntry, later: AuditEntry): boolean {
  const gapMs = Date.parse(later.at) - Date.parse(earlier.at);
  return [earlier, later].every(({ action }) => action === "database_migrated") && gapMs <= gapMsMax;
}

function asOne(run: [AuditEntry, ...AuditEntry[]]): AuditEntry {
  const [newest] = run;
  const oldest = run.at(-1) as AuditEntry;
  if (oldest === newest) return newest;
  const migration = `${run.length} migrations, ${oldest.details.migration} to ${newest.details.migration}`;
  return { ...newest, details: { ...newest.details, migration } };
}
