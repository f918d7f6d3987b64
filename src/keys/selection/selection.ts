import type { Caller } from "../../accounts/audited-changes.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database, Sql, StreamQuery } from "../../db/contract.ts";
import { csvFile, type Page } from "../../db/paging.ts";
import { resellerById } from "../../resellers/store.ts";
import type { KeyFilter } from "../list/list-store.ts";
import { matchingQuery } from "../list/lists.ts";
import { adminKeyView, type KeyRow } from "../model.ts";
import type { AdminSelectionDownload } from "./selection-schema.ts";
import { lastKeyId, listSelected, type Selection } from "./selection-store.ts";

/** Whose keys somebody selects among. */
export interface Whose {
  owner: KeyFilter["owner"];
  /** `null` where they are the admins' own, which belong to nobody. */
  reseller: { id: number; username: string } | null;
  /** How the record names them all. */
  target: string;
}

/** A reseller's own; for an admin those of any reseller, or the admins'. Throws `NOT_FOUND` for who is no reseller. */
export async function whoseKeys(sql: Sql, caller: Caller, resellerId: number | undefined): Promise<Whose> {
  if (caller.role === "reseller") return ofReseller(caller);
  // No username has a space in it.
  if (resellerId === undefined) return { owner: "admins", reseller: null, target: "keys of all admins" };
  const reseller = await resellerById(sql, resellerId);
  if (!reseller) throw new Refusal("NOT_FOUND", "There is no such reseller.");
  return ofReseller(reseller);
}

function ofReseller({ id, username }: { id: number; username: string }): Whose {
  return { owner: { resellerId: id }, reseller: { id, username }, target: `keys of ${username}` };
}

/** Which keys are meant. Without a mark they are those of now, and the new mark stands for them. Throws `INVALID` for a mark that is none. */
export async function selectionOf(
  { query, snapshot }: Pick<Database, "query" | "snapshot">,
  owner: KeyFilter["owner"],
  form: Omit<AdminSelectionDownload, "format">,
  now: number,
): Promise<{ selection: Selection; mark: string }> {
  const given = form.mark === undefined ? null : marked(form.mark, now);
  const lastId = given?.lastId ?? (await lastKeyId(query, owner));
  const { search, game, status } = form;
  const narrowed = { owner, query: { search, game, status }, at: given?.at ?? now, close: given?.close };
  const { filter } = await snapshot(matchingQuery, narrowed);
  const selection = { filter, ids: form.ids ?? null, lastId };
  return { selection, mark: form.mark ?? markOf(selection) };
}

/** Beside the filters, which are sent again, what a selection consists of. */
function markOf({ filter: { at, search }, lastId }: Selection): string {
  return Buffer.from(JSON.stringify([at, lastId, search?.close ?? false])).toString("base64url");
}

function marked(mark: string, now: number) {
  try {
    const [at, lastId, close] = JSON.parse(Buffer.from(mark, "base64url").toString());
    // Of an instant that is still to come nobody was shown anything.
    const isPast = Number.isSafeInteger(at) && at >= 0 && at <= now;
    if (isPast && Number.isSafeInteger(lastId) && typeof close === "boolean") return { at, lastId, close } as const;
  } catch {
    // Not ours: refused below.
  }
  const message = "mark is not one that a look at a selection gave";
  throw new Refusal("INVALID", message, { errors: [{ path: "mark", message }] });
}

const columns = ["id", "key", "game", "status", "devices", "deviceLimit", "created", "expires", "order", "note"];

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
  const { id, keyString, game, status, deviceCount, deviceLimit, createdAt, expiryDate, orderId, note } = adminKeyView(
    row,
    at,
  );
  return [id, keyString, game, status, deviceCount, deviceLimit, createdAt, expiryDate, orderId ?? "", note ?? ""];
}

/** Lines in a piece of the file. */
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
