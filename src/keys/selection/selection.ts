import type { Caller } from "../../accounts/audited-changes.ts";
import { invalid, Refusal } from "../../core/refusal.ts";
import type { Database, Sql, StreamQuery } from "../../db/contract.ts";
import { csvFile, type Page } from "../../db/paging.ts";
import { resellerById } from "../../resellers/store.ts";
import type { KeyFilter } from "../list/list-store.ts";
import { matchingQuery } from "../list/lists.ts";
import { adminKeyView, type KeyRow } from "../model.ts";
import type { AdminSelectionDownload } from "./selection-schema.ts";
import { lastKeyId, listSelected, type Selection } from "./selection-store.ts";

/** Whose keys the selection is made from. */
export interface Whose {
  owner: KeyFilter["owner"];
  /** Null for admin keys, which have no owner. */
  reseller: { id: number; username: string } | null;
  /** Their name in the audit log. */
  target: string;
}

/**
 * A reseller's own keys; for an admin those of any reseller, or the admin keys. Throws `NOT_FOUND` for an id that is no
 * reseller's.
 */
export async function whoseKeys(sql: Sql, caller: Caller, resellerId: number | undefined): Promise<Whose> {
  if (caller.role === "reseller") return ofReseller(caller.owner ?? caller);
  // No username contains a space, so this cannot be mistaken for a reseller's.
  if (resellerId === undefined) return { owner: "admins", reseller: null, target: "keys of all admins" };
  const reseller = await resellerById(sql, resellerId);
  if (!reseller) throw new Refusal("NOT_FOUND", "There is no such reseller.");
  return ofReseller(reseller);
}

function ofReseller({ id, username }: { id: number; username: string }): Whose {
  return { owner: { resellerId: id }, reseller: { id, username }, target: `keys of ${username}` };
}

/**
 * Returns the selected keys. Without a mark they are those that exist now, and the new mark stands for them. Throws
 * `INVALID` for an unknown mark.
 */
export async function selectionOf(
  database: Pick<Database, "query" | "snapshot">,
  caller: Caller,
  owner: KeyFilter["owner"],
  form: Omit<AdminSelectionDownload, "format">,
  now: number,
): Promise<{ selection: Selection; mark: string }> {
  const given = form.mark === undefined ? null : marked(form.mark, now);
  const lastId = given?.lastId ?? (await lastKeyId(database.query(caller), owner));
  const { search, game, status, orderId } = form;
  const narrowed = { owner, query: { search, game, status, orderId }, at: given?.at ?? now, close: given?.close };
  const { filter } = await database.snapshot(matchingQuery, narrowed, caller);
  const selection = { filter, ids: form.ids ?? null, lastId };
  return { selection, mark: form.mark ?? markOf(selection) };
}

/** What identifies a selection, apart from the filters, which are sent again. */
function markOf({ filter: { at, search }, lastId }: Selection): string {
  return Buffer.from(JSON.stringify([at, lastId, search?.close ?? false])).toString("base64url");
}

function marked(mark: string, now: number) {
  try {
    const [at, lastId, close] = JSON.parse(Buffer.from(mark, "base64url").toString());
    // No selection was shown at an instant in the future.
    const isPast = Number.isSafeInteger(at) && at >= 0 && at <= now;
    if (isPast && Number.isSafeInteger(lastId) && typeof close === "boolean") return { at, lastId, close } as const;
  } catch {
    // Refused below.
  }
  throw invalid("mark", "mark is not from a preview of a selection");
}

const columns = [
  ...["id", "key", "game", "status", "devices", "deviceLimit", "created", "expires", "order", "note"],
  ...["starts", "durationHours", "started", "paused"],
];

export const selectedCsvStream: StreamQuery<Selection> = {
  name: "selected keys as CSV",
  pieces: (sql, selection) =>
    csvFile({
      columns,
      after: null,
      limit: null,
      rowsOf: (page) => listSelected(sql, selection, page),
      afterOf,
      cellsOf: (row) => cellsOf(row, selection.filter.at),
    }),
};

function cellsOf(row: KeyRow, at: number): (string | number)[] {
  const { id, keyString, game, status, deviceCount, deviceLimit, createdAt, orderId, note, ...time } = adminKeyView(
    row,
    at,
  );
  const { expiryDate, starts, durationHours, startedAt, pausedAt } = time;
  return [
    ...[id, keyString, game, status, deviceCount, deviceLimit, createdAt, expiryDate ?? "", orderId ?? "", note ?? ""],
    ...[starts, durationHours ?? "", startedAt ?? "", pausedAt ?? ""],
  ];
}

/** Lines that are sent at once. */
const rowsPerPiece = 500;

/** One key a line. */
export const selectedTextStream: StreamQuery<Selection> = {
  name: "texts of selected keys",
  async *pieces(sql, selection) {
    for (let after: Page<[number]>["after"] = null; ; ) {
      const rows = await listSelected(sql, selection, { after, limit: rowsPerPiece });
      yield rows.map(({ keyString }) => `${keyString}\n`).join("");
      const last = rows.at(-1);
      if (!last) return;
      after = afterOf(last);
    }
  },
};

function afterOf({ id }: KeyRow): [number] {
  return [id];
}
