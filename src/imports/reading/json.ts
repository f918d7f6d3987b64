import { type Line, plainHeading, type Values } from "./headings.ts";
import { linesOf, objectsOf } from "./records.ts";

/** The objects of a JSON file: one a line, or those of one array. Blank lines are left out. */
export async function* jsonLines(content: AsyncIterable<Uint8Array>, isArray: boolean): AsyncGenerator<Line> {
  for await (const { number: line, ...record } of isArray ? objectsOf(content) : linesOf(content)) {
    if ("problem" in record) yield { line, problem: record.problem };
    else {
      const text = isArray ? record.text.replace(/^[[\],\s]+/, "") : record.text.trim();
      if (text !== "") yield { line, ...objectIn(text) };
    }
  }
}

function objectIn(text: string): { values: Values } | { problem: string } {
  const entries = entriesIn(text);
  if (entries === null) return { problem: "This is not a JSON object." };
  const values = new Map<string, string>();
  for (const [name, value] of entries) {
    const list = Array.isArray(value) ? value : [value];
    if (list.some((each) => typeof each === "object" && each !== null)) {
      return { problem: `${name} must be a text, a number or a list of texts.` };
    }
    if (value !== null) values.set(plainHeading(name), list.join(" ").trim());
  }
  return { values };
}

function entriesIn(text: string): [string, unknown][] | null {
  try {
    const object: unknown = JSON.parse(text);
    return typeof object === "object" && object !== null && !Array.isArray(object) ? Object.entries(object) : null;
  } catch {
    return null;
  }
}
