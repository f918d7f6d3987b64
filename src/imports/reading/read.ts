import { Refusal, refuseProblems } from "../../core/refusal.ts";
import { foldedText } from "../../core/text.ts";
import { type Column, columns } from "../../keys/export/columns.ts";
import { rowsOf } from "./csv.ts";
import { type ColumnMap, type Head, headOf, type Line, plainHeading } from "./headings.ts";
import type { ReadLine } from "./imported-key.ts";
import { jsonIn, jsonLines } from "./json.ts";
import { keyIn, type Times, wrongLine } from "./key-in.ts";

export interface ReadOptions extends Times {
  /** Left out, the beginning of the file says which. A JSON file has one object a line, or one array of objects. */
  format?: "csv" | "ndjson";
  /** The heading of the file by our column: `{ key: "Serial No." }`. */
  map?: Record<string, string>;
  /** For lines that leave them out. */
  game?: string;
  owner?: string;
  replacements?: Replacement[];
}

/** `from` is folded. */
export type Replacement = { field: "game" | "owner"; from: string; to: string };

/** `game:PUBG=PUBG MOBILE`. Throws `INVALID`. */
export function replacementOf(text: string): Replacement {
  const [, field, from = "", to = ""] = /^(game|owner):([^=]*)=(.*)$/s.exec(text) ?? [];
  const message = "value must be game:from=to or owner:from=to";
  refuseProblems(field === undefined ? [{ path: "value", message }] : []);
  return { field: field as "game" | "owner", from: foldedText(from.trim()), to: to.trim() };
}

/** Reads a file of keys in bounded memory. Throws `INVALID` for a file that cannot be read at all. */
export async function* readKeys(content: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<ReadLine> {
  const { game = "", owner = "", replacements = [] } = options;
  const map = checkedMap(options.map ?? {});
  const file = await opened(content);
  const { isJson, arrayDepth } = jsonIn(file.beginning);
  const isCsv = options.format === undefined ? !isJson : options.format === "csv";
  const lines = isCsv ? csvLines(file.content, map) : jsonLines(file.content, arrayDepth, map);
  const leftOut: Partial<Record<Column, string>> = { game, owner };
  let isWithoutLines = true;

  for await (const { line, ...read } of lines) {
    isWithoutLines = false;
    if ("problem" in read) {
      yield { line, key: "", problem: read.problem };
      continue;
    }
    const { head, cells } = read;
    const cellAt = (place: number) => cells[place]?.trim() ?? "";
    const under = (heading: string) => cellAt(head.plain.indexOf(heading));
    const given = head.preset?.columns?.(under) ?? {};
    const value = (column: Column) => {
      const found = (map[column] === undefined ? given[column] : undefined) ?? cellAt(head.places[column]);
      const isReplaced = ({ field, from }: Replacement) => field === column && from === foldedText(found);
      return (replacements.find(isReplaced)?.to ?? found) || (leftOut[column] ?? "");
    };
    const problem = head.preset?.problem?.(under, value("key"));
    if (problem) yield wrongLine(line, value("key"), problem);
    else yield keyIn(value, line, head.isExport, options);
  }
  if (isWithoutLines) throw unreadable("The file has no keys.");
}

async function* csvLines(content: AsyncIterable<Uint8Array>, map: ColumnMap): AsyncGenerator<Line> {
  let head: Head | null = null;
  for await (const { number: line, ...row } of rowsOf(content)) {
    if (head === null) {
      if ("problem" in row) throw unreadable(`The first line cannot be read. ${row.problem}`);
      head = checkedHead(row.cells, map);
    } else if ("problem" in row) yield { line, problem: row.problem };
    else if (row.cells.slice(head.headings.length).some(Boolean)) {
      yield { line, problem: `This has ${row.cells.length} cells, but the first line has ${head.headings.length}.` };
    } else yield { line, head, cells: row.cells };
  }
  if (head === null) throw unreadable("The file is empty.");
}

function checkedHead(headings: string[], map: ColumnMap): Head {
  const head = headOf(headings, map);
  for (const name of Object.values(map)) {
    if (name !== "" && !head.plain.includes(plainHeading(name))) throw unreadable(`The file has no column ${name}.`);
  }
  if (head.places.key === -1) throw unreadable(noKeyColumn);
  return head;
}

const noKeyColumn =
  "No column is named key. Say which one holds the keys: key=Column. If the first line is a key already, put one above it that names the columns.";

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
