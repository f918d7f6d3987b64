import type { StreamQuery } from "../../db/contract.ts";
import { csvFile, type Page } from "../../db/paging.ts";
import { adminKeyView, type KeyRow } from "../model.ts";
import { listSelected, type Selection } from "./selection-store.ts";

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
