import { userNamed } from "../../accounts/account-store.ts";
import { type AuditedChanges, type By, notedDownload } from "../../accounts/audited-changes.ts";
import { filteredGame } from "../../catalogue/offers.ts";
import { isoOf, type Now } from "../../core/clock.ts";
import type { Requester } from "../../core/fair-semaphore.ts";
import { nonBlank } from "../../core/field.ts";
import { untilStarted } from "../../core/key-time.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database, StreamQuery } from "../../db/contract.ts";
import { csvFile, type Page } from "../../db/paging.ts";
import { startOf, statusOf } from "../model.ts";
import { columns } from "./columns.ts";
import type { ExportQuery } from "./export-schema.ts";
import * as store from "./export-store.ts";

export type Export = ReturnType<typeof createExport>;

/** All keys as a file that an import reads (rules.md: Exports). */
export function createExport({ database, changes, now }: { database: Database; changes: AuditedChanges; now: Now }) {
  return {
    /**
     * The keys of all owners and games, or of one. The export is in the audit log before its first line is sent. Throws
     * `NOT_FOUND` for an unknown owner and `INVALID` for an unknown game.
     */
    async keys(by: By, requester: Requester, query: ExportQuery) {
      const username = nonBlank(query.owner);
      const game = nonBlank(query.game);
      const reseller = username && (await userNamed(database.read, { username, role: "reseller" }));
      if (reseller === null) throw new Refusal("NOT_FOUND", `There is no reseller ${username}.`);
      const owner = reseller ? { resellerId: reseller.id } : "anyone";
      const given = { owner, gameId: await filteredGame(database.read, game), at: now() } as const;
      const content = await database.stream(exportStream, given, requester);
      const record = {
        action: "keys_exported",
        target: reseller ? `keys of ${reseller.username}` : "all keys",
        details: { ...(game && { game }) },
      } as const;
      return {
        filename: `latchkey-export-${isoOf(given.at).slice(0, 10)}.csv`,
        content: await notedDownload(changes, by, record, content),
      };
    },
  };
}

export const exportStream: StreamQuery<store.ExportFilter & { at: number }> = {
  name: "export of keys",
  pieces: (sql, { at, ...filter }) =>
    csvFile({
      ...{ columns, isExact: true, after: null, limit: null },
      rowsOf: (page: Page<[number]>) => store.listToExport(sql, filter, page),
      afterOf: ({ id }): [number] => [id],
      cellsOf: (row) => cellsOf(row, at),
    }),
};

/** In the order of `columns`. */
function cellsOf(row: store.ExportRow, at: number): (string | number)[] {
  const { keyString, game, createdAt, expiresAt, durationHours, startedAt, pausedAt, revokedAt, deviceLimit } = row;
  return [
    ...[keyString, game, isoOf(createdAt), expiresAt === untilStarted ? "" : isoOf(expiresAt), durationHours ?? ""],
    ...[startOf(row), isoOrEmpty(startedAt), isoOrEmpty(pausedAt), isoOrEmpty(revokedAt), deviceLimit],
    ...[statusOf(row, at), row.owner ?? "", row.note ?? "", row.devices ?? ""],
  ];
}

function isoOrEmpty(at: number | null): string {
  return at === null ? "" : isoOf(at);
}
