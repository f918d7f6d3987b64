import { dateOf, isoOf } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import type { Sql } from "../db/contract.ts";
import { rowsOf } from "./store.ts";

/** Rows in a piece of a download: about 100 kB of JSON. */
const rowsPerPiece = 500;

/** Yields one collection as a JSON array, in pieces. Returns the number of rows at the end. */
export async function* linesOf(sql: Sql, name: string): AsyncGenerator<string, number> {
  let count = 0;
  let after = 0;
  for (;;) {
    const rows = await rowsOf(sql, name, after, rowsPerPiece);
    const last = rows.at(-1);
    if (!last) break;
    const lines = rows.map((row) => JSON.stringify(rowView(row))).join(",\n");
    yield count === 0 ? `[\n${lines}` : `,\n${lines}`;
    count += rows.length;
    after = last.id;
  }
  yield count === 0 ? "[\n]\n" : "\n]\n";
  return count;
}

/** A row as the API shows it: times and days in ISO 8601, credits as numbers, flags as booleans. */
function rowView(row: object): Record<string, unknown> {
  const view: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (name.endsWith("Tenths")) view[name.slice(0, -"Tenths".length)] = creditsOf(value);
    else if (name === "at" || name.endsWith("At")) view[name] = value === null ? null : isoOf(value);
    else if (name.endsWith("Day")) view[name.slice(0, -"Day".length)] = dateOf(value);
    else if (name === "details") view[name] = JSON.parse(value);
    else view[name] = name === "isActive" ? value === 1 : value;
  }
  return view;
}
