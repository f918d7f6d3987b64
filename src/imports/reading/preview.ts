import { Refusal } from "../../core/refusal.ts";
import { rowsOf } from "./csv.ts";
import { headOf } from "./headings.ts";
import type { ReadLine } from "./imported-key.ts";
import { jsonIn, jsonLines } from "./json.ts";
import { type ReadOptions, readKeys } from "./read.ts";

const linesMax = 5;

/** The beginning of a file, as a page shows it before the import. */
export interface Preview {
  isJson: boolean;
  /** The headings that belong to no column. */
  others: string[];
  /** What the first lines become. */
  lines: ReadLine[];
  /** Why the file cannot be read, or null. */
  problem: string | null;
}

/** `beginning` has room for the longest first lines. */
export async function previewOf(beginning: Uint8Array, options: ReadOptions): Promise<Preview> {
  const { isJson, arrayDepth } = jsonIn(new TextDecoder().decode(beginning));
  const content = () => inOnePiece(beginning);
  const headings = await (isJson ? namesIn(jsonLines(content(), arrayDepth, {})) : headIn(rowsOf(content())));
  const preview: Preview = { isJson, others: othersIn(headings), lines: [], problem: null };
  try {
    for await (const line of readKeys(content(), options)) {
      preview.lines.push(line);
      if (preview.lines.length === linesMax) break;
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The page asks which one it is.
    preview.problem = error.message.replace(": key=Column", " below");
  }
  return preview;
}

async function* inOnePiece(bytes: Uint8Array) {
  yield bytes;
}

async function headIn(rows: ReturnType<typeof rowsOf>): Promise<string[]> {
  const { value } = await rows.next();
  return value && "cells" in value ? value.cells : [];
}

async function namesIn(lines: ReturnType<typeof jsonLines>): Promise<readonly string[]> {
  const { value } = await lines.next();
  return value && "head" in value ? value.head.headings : [];
}

function othersIn(headings: readonly string[]): string[] {
  const { plain, places, preset } = headOf(headings, {});
  const known = new Set([...Object.values(places), ...(preset?.headings ?? []).map((each) => plain.indexOf(each))]);
  return headings.filter((_, place) => !known.has(place));
}
