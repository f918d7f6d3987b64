import { linesOf, recordBytesMax, type TextRecord } from "./records.ts";

/** The cells of one row, which quotes may spread over several lines. `number` is that of its first line. */
export type Row = { number: number } & ({ cells: string[] } | { problem: string });

type Line = Extract<TextRecord, { text: string }>;

const quoteLeftOpen = "A quote in this line is never closed.";

/**
 * The rows of a CSV file (RFC 4180), whose first line decides between commas, semicolons and tabs, or names another
 * separator as Excel does: `sep=|`. Blank lines are left out.
 * A line whose quote is never closed does not take the following lines with it. Whether a line closes a quote does not
 * depend on the line that opened it. So each line is searched once, however many of the lines before it open one.
 */
export async function* rowsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  let delimiter: string | null = null;
  /** From `first` on, the line with an open quote and those after it, none of which closes it. */
  let lines: Line[] = [];
  let first = 0;
  let openLength = 0;

  for await (const line of linesOf(content)) {
    if ("problem" in line) {
      yield* readUntilOpen(0);
      yield line;
      continue;
    }
    if (lines.length === 0 && line.text.trim() === "") continue;
    if (delimiter === null) {
      const named = /^"?sep=([^\w"])"?\s*$/i.exec(line.text)?.[1];
      delimiter = named ?? delimiterIn(line.text);
      if (named !== undefined) continue;
    }
    const isFirst = lines.push(line) === 1;
    // With its line break, because blank lines take memory too.
    openLength += line.text.length + 1;
    if (!isFirst && !addCells([""], true, line.text, delimiter)) yield joinedRow(delimiter);
    else if (isFirst || openLength > recordBytesMax) yield* readUntilOpen(recordBytesMax);
  }
  yield* readUntilOpen(0);

  function joinedRow(by: string): Row {
    const [{ number }] = lines.slice(first) as [Line];
    const cells: string[] = [];
    for (let at = first; at < lines.length; at += 1) addCells(cells, at > first, (lines[at] as Line).text, by);
    [lines, first, openLength] = [[], 0, 0];
    return { number, cells };
  }

  /**
   * Reads lines by themselves until one opens a quote that may still be closed: it and the lines after it are at most
   * this long.
   */
  function* readUntilOpen(lengthMax: number): Generator<Row> {
    for (; first < lines.length; first += 1) {
      const { number, text } = lines[first] as Line;
      const cells: string[] = [];
      const isOpen = addCells(cells, false, text, delimiter as string);
      if (isOpen && openLength <= lengthMax) break;
      openLength -= text.length + 1;
      if (isOpen) yield { number, problem: quoteLeftOpen };
      else if (text.trim() !== "") yield { number, cells };
    }
    if (first > lines.length / 2) [lines, first] = [lines.slice(first), 0];
  }
}

function delimiterIn(head: string): string {
  const count = (character: string) => head.split(character).length;
  return [",", ";", "\t"].reduce((most, each) => (count(each) > count(most) ? each : most));
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
