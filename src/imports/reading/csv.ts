import { linesOf, recordBytesMax, type TextRecord } from "./records.ts";

/** The cells of one row, which quotes may spread over several lines. `number` is that of its first line. */
export type Row = { number: number } & ({ cells: string[] } | { problem: string });

type Line = Extract<TextRecord, { text: string }>;

const quoteLeftOpen = "A quote in this line is never closed.";

/**
 * The rows of a CSV file (RFC 4180), whose first line decides between commas and semicolons. Blank lines are left out.
 * A line whose quote is never closed does not take the following lines with it.
 */
export async function* rowsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  let delimiter: string | null = null;
  /** The lines of a row whose end has not been found yet. */
  let open: Line[] = [];
  let openLength = 0;
  let cells: string[] = [];

  for await (const line of linesOf(content)) yield* read(line);
  while (open.length > 0) yield* givenUp();

  function* read(line: TextRecord): Generator<Row> {
    if ("problem" in line) {
      while (open.length > 0) yield* givenUp();
      yield line;
      return;
    }
    if (open.length === 0 && line.text.trim() === "") return;
    delimiter ??= delimiterIn(line.text);
    const isOpen = addCells(cells, open.length > 0, line.text, delimiter);
    open.push(line);
    // With its line break, because blank lines take memory too.
    openLength += line.text.length + 1;
    if (!isOpen) {
      const row = { number: (open[0] as Line).number, cells };
      restart();
      yield row;
    } else if (openLength > recordBytesMax) yield* givenUp();
  }

  function restart(): void {
    [open, openLength, cells] = [[], 0, []];
  }

  /** Reports the line with the open quote, and reads those after it by themselves. */
  function* givenUp(): Generator<Row> {
    const [first, ...others] = open;
    restart();
    if (first) yield { number: first.number, problem: quoteLeftOpen };
    for (const line of others) yield* read(line);
  }
}

function delimiterIn(head: string): string {
  const count = (character: string) => head.split(character).length;
  return count(";") > count(",") ? ";" : ",";
}

/**
 * Adds the cells of a line. Returns whether its last cell is still within quotes, so that the next line continues it;
 * for that line `isOpen` is true.
 */
function addCells(cells: string[], isOpen: boolean, line: string, delimiter: string): boolean {
  let isQuoted = isOpen;
  for (let at = 0; ; ) {
    if (!isQuoted) {
      cells.push("");
      isQuoted = line[at] === '"';
      if (isQuoted) at += 1;
    }
    if (isQuoted) {
      const end = closingQuote(line, at);
      const text = line.slice(at, end === -1 ? undefined : end).replaceAll('""', '"');
      if (end === -1) {
        append(cells, `${text}\n`);
        return true;
      }
      append(cells, text);
      at = end + 1;
      isQuoted = false;
    }
    const next = line.indexOf(delimiter, at);
    append(cells, line.slice(at, next === -1 ? undefined : next));
    if (next === -1) return false;
    at = next + 1;
  }
}

/** Two quotes stand for one within the cell. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}

function append(cells: string[], text: string): void {
  cells[cells.length - 1] += text;
}
