import { type ColumnMap, headOf, type Line } from "./headings.ts";
import { listInObject } from "./presets.ts";
import { linesOf, objectsOf } from "./records.ts";

/** Whether a file that begins like this is JSON, and in how many objects its array is; null for objects in lines. */
export function jsonIn(beginning: string): { isJson: boolean; arrayDepth: number | null } {
  const first = beginning.trimStart()[0] ?? "";
  const arrayDepth = first === "[" ? 0 : listInObject.test(beginning) ? 1 : null;
  return { isJson: first === "{" || first === "[", arrayDepth };
}

/** The objects of a JSON file: one a line, or those of one array. Blank lines are left out. */
export async function* jsonLines(
  content: AsyncIterable<Uint8Array>,
  arrayDepth: number | null,
  map: ColumnMap,
): AsyncGenerator<Line> {
  const isArray = arrayDepth !== null;
  for await (const { number: line, ...record } of isArray ? objectsOf(content, arrayDepth) : linesOf(content)) {
    if ("problem" in record) {
      yield { line, problem: record.problem };
      continue;
    }
    const text = isArray ? record.text.replace(listInObject, "") : record.text.trim();
    // What comes after the array of an object is passed over.
    if (arrayDepth === 1 && /^\s*\]/.test(text)) return;
    const object = isArray ? text.replace(/^[[\],\s]+/, "") : text;
    if (object !== "") yield { line, ...objectIn(object, map) };
  }
}

function objectIn(text: string, map: ColumnMap) {
  const entries = entriesIn(text);
  if (entries === null) return { problem: "This is not a JSON object." };
  const names = entries.map(([name]) => name);
  // Our own export is CSV.
  const head = { ...headOf(names, map), isExport: false };
  const cells: string[] = [];
  for (const [place, [name, value]] of entries.entries()) {
    const list = [value ?? ""].flat();
    if (list.some((each) => typeof each === "object")) {
      return { problem: `${name} must be a text, a number or a list of texts.` };
    }
    const isList = Array.isArray(value) && place === head.places.devices;
    cells.push(isList ? JSON.stringify(value) : list.join(" "));
  }
  return { head, cells };
}

function entriesIn(text: string): [string, unknown][] | null {
  try {
    const object: unknown = JSON.parse(text);
    return typeof object === "object" && object !== null && !Array.isArray(object) ? Object.entries(object) : null;
  } catch {
    return null;
  }
}
