import { Refusal } from "../../core/refusal.ts";
import { type Column, columns } from "../../keys/export/columns.ts";
import { rowsOf } from "./csv.ts";
import { type ColumnMap, headingOf, type Line, plainHeading, type Values } from "./headings.ts";
import type { ReadLine } from "./imported-key.ts";
import { jsonLines } from "./json.ts";
import { keyIn } from "./key-in.ts";
import { presetFor } from "./presets.ts";

export interface ReadOptions {
  /** Left out, the beginning of the file says which. A JSON file has one object a line, or one array of objects. */
  format?: "csv" | "ndjson";
  /** The heading of the file by our column: `{ key: "Serial No." }`. */
  map?: Record<string, string>;
  /** For lines that leave them out. */
  game?: string;
  owner?: string;
  /** When the import was begun: a continued one reads the same keys. */
  now: number;
}

/** Reads a file of keys in bounded memory. Throws `INVALID` for a file that cannot be read at all. */
export async function* readKeys(content: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<ReadLine> {
  const { game = "", owner = "", now } = options;
  const map = checkedMap(options.map ?? {});
  const file = await opened(content);
  const isJson = options.format === "ndjson" || (options.format === undefined && /^\s*[[{]/.test(file.beginning));
  const lines = isJson ? jsonLines(file.content, /^\s*\[/.test(file.beginning)) : csvLines(file.content, map);
  const leftOut: Partial<Record<Column, string>> = { game, owner };

  for await (const { line, ...read } of lines) {
    if ("problem" in read) {
      yield { line, key: "", problem: read.problem };
      continue;
    }
    const { values } = read;
    const has = (heading: string) => values.has(heading);
    const preset = presetFor(has)?.columns(values) ?? {};
    const value = (column: Column) => {
      const given = map[column] === undefined ? preset[column] : undefined;
      return (given ?? values.get(headingOf(column, has, map) ?? "") ?? "") || (leftOut[column] ?? "");
    };
    yield keyIn(value, line, now);
  }
}

async function* csvLines(content: AsyncIterable<Uint8Array>, map: ColumnMap): AsyncGenerator<Line> {
  let headings: string[] | null = null;
  for await (const { number: line, ...row } of rowsOf(content)) {
    if (headings === null) {
      if ("problem" in row) throw unreadable(`The first line cannot be read. ${row.problem}`);
      headings = checkedHead(row.cells, map);
    } else if ("problem" in row) yield { line, problem: row.problem };
    else if (row.cells.slice(headings.length).some(Boolean)) {
      yield { line, problem: `This has ${row.cells.length} cells, but the first line has ${headings.length}.` };
    } else yield { line, values: valuesIn(headings, row.cells) };
  }
  if (headings === null) throw unreadable("The file is empty.");
}

function checkedHead(head: string[], map: ColumnMap): string[] {
  const headings = head.map(plainHeading);
  const has = (heading: string) => headings.includes(heading);
  for (const name of Object.values(map)) {
    if (!has(plainHeading(name))) throw unreadable(`The file has no column ${name}.`);
  }
  if (!headingOf("key", has, map))
    throw unreadable("No column is named key. Say which one holds the keys: key=Column.");
  return headings;
}

/** Of several columns with the same heading, the first one counts. */
function valuesIn(headings: string[], cells: string[]): Values {
  const values = new Map<string, string>();
  for (const [index, heading] of headings.entries()) {
    if (!values.has(heading)) values.set(heading, cells[index]?.trim() ?? "");
  }
  return values;
}

function checkedMap(map: Record<string, string>): ColumnMap {
  const unknown = Object.keys(map).find((column) => !columns.some((each) => each === column));
  if (unknown === undefined) return map;
  throw unreadable(`There is no column ${unknown} to map to. The columns are ${columns.join(", ")}.`);
}

/** As many bytes as are needed to tell what kind of file it is. */
const beginningBytes = 64;

/** The file, and how it begins. Throws `INVALID` for one that is no text. */
async function opened(content: AsyncIterable<Uint8Array>) {
  const pieces = content[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let length = 0; length < beginningBytes; ) {
    const { done, value } = await pieces.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const bytes = first.flatMap((piece) => [...piece.subarray(0, beginningBytes)]).slice(0, beginningBytes);
  if (isUtf16(bytes)) throw unreadable("This file is UTF-16. Save it as UTF-8.");
  const beginning = new TextDecoder().decode(new Uint8Array(bytes));
  if (beginning.startsWith("PK\x03\x04")) throw unreadable("This is a spreadsheet or an archive. Save it as CSV.");
  return { beginning, content: rejoined() };

  async function* rejoined(): AsyncGenerator<Uint8Array> {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
}

/** By its byte order mark, or by the second or first byte of each ASCII character. */
function isUtf16([first, second]: number[]): boolean {
  if (first === undefined || second === undefined) return false;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0);
}

function unreadable(sentence: string): Refusal {
  return new Refusal("INVALID", sentence);
}
