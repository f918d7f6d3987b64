import { getLogger } from "@logtape/logtape";
import { type AuditedChanges, type Caller, notedDownload } from "../accounts/audited-changes.ts";
import { isoOf, msPerDay, type Now } from "../core/clock.ts";
import { nonBlank } from "../core/field.ts";
import { periodIn } from "../core/period.ts";
import type { Database, StreamQuery } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/maintenance.ts";
import { csvFile, isInstantCursor, pageOf, pageOfRows } from "../db/paging.ts";
import { type AuditEntry, type AuditQuery, rowsDefault } from "./schema.ts";
import * as store from "./store.ts";

export type Audit = ReturnType<typeof createAudit>;

/** The audit log as admins read it. `accounts/audited-changes.ts` writes it. */
export function createAudit({ database, changes, now }: { database: Database; changes: AuditedChanges; now: Now }) {
  return {
    /** Newest first. Throws `INVALID`. */
    async list(admin: Caller, query: AuditQuery): Promise<{ rows: AuditEntry[]; nextCursor: string | null }> {
      const { limit = rowsDefault } = query;
      const filter = filterOf(query);
      const rows = await store.listRows(database.query(admin), filter, pageOf({ ...query, limit }, isInstantCursor));
      const shown = pageOfRows(rows, limit, afterOf);
      return { rows: shown.rows.map(entryView), nextCursor: shown.nextCursor };
    },

    /**
     * The same as a CSV file, whole without a limit. The download is in the audit log before its first line is sent.
     * Throws `INVALID`.
     */
    async download(
      admin: Caller,
      query: AuditQuery,
    ): Promise<{ filename: string; content: ReadableStream<Uint8Array> }> {
      const filter = filterOf(query);
      const { after, limit } = pageOf(query, isInstantCursor);
      const content = await database.stream(csvStream, { filter, after, limit }, admin);
      const record = { action: "data_downloaded", target: "audit log", details: chosenIn(query) } as const;
      return {
        filename: `latchkey-audit-log-${isoOf(now()).slice(0, 19).replaceAll(":", "-")}Z.csv`,
        content: await notedDownload(changes, admin, record, content),
      };
    },
  };
}

function filterOf({ search, action, actor, from, to }: AuditQuery): store.AuditFilter {
  const chosen = { search: nonBlank(search), actor: nonBlank(actor), action: action === "all" ? undefined : action };
  return { ...chosen, ...periodIn({ from, to }) };
}

/** The filters that are set. */
function chosenIn({ search, action, actor, from, to }: AuditQuery) {
  return {
    ...(search && { search }),
    ...(action && action !== "all" && { action }),
    ...(actor && { actor }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function entryView({ actorId: id, actorUsername: username, actorRole: role, ...row }: store.AuditRow): AuditEntry {
  const actor = id !== null && username !== null && role !== null ? { id, username, role } : null;
  return { ...row, at: isoOf(row.at), details: JSON.parse(row.details), actor };
}

function afterOf({ at, id }: store.AuditRow): [number, number] {
  return [at, id];
}

const columns = ["id", "at", "action", "actor", "target", "address", "details"];

/** The audit log as a CSV file, newest first. A null `limit` means all rows. */
export const csvStream: StreamQuery<{
  filter: store.AuditFilter;
  after: [number, number] | null;
  limit: number | null;
}> = {
  name: "audit log as CSV",
  pieces: (sql, { filter, after, limit }) =>
    csvFile({ columns, after, limit, rowsOf: (page) => store.listRows(sql, filter, page), afterOf, cellsOf }),
};

function cellsOf({ id, at, action, actorUsername, target, address, details }: store.AuditRow): (string | number)[] {
  return [id, isoOf(at), action, actorUsername ?? "", target, address ?? "", details];
}

const log = getLogger(["latchkey", "audit"]);

/** Rows erased in one batch, which takes 2 to 3 ms. */
const rowsPerBatch = 200;

type RetentionParts = { database: Database; auditDays: number; now: Now };

/** How long the audit log is kept (rules.md: Audit entries). With 0 days all of it is. */
export function createRetention({ database, auditDays, now }: RetentionParts): Erasure {
  const keptSince = () => now() - auditDays * msPerDay;
  return createErasure({
    database,
    name: "retention of the audit log",
    isAnyOld: async () => auditDays > 0 && (await store.hasOlder(database.read, keptSince())),
    eraseBatch: () =>
      database.transaction(null, async ({ sql }) => {
        const since = keptSince();
        await store.moveHorizon(sql, since);
        await store.eraseOldest(sql, since, rowsPerBatch);
      }),
    onFailure: (error) => log.error("Old rows of the audit log could not be removed: {error}", { error }),
  });
}
