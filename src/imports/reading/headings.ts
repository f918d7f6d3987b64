import { type Column, columns } from "../../keys/export/columns.ts";
import { type Preset, presetFor } from "./presets.ts";

/** What other panels call our columns. */
const synonyms: Partial<Record<Column, string[]>> = {
  key: ["license_key", "licence", "license", "serial", "code"],
  game: ["product", "app"],
  created: ["created_at", "creation_date"],
  expires: ["expires_at", "expiry", "expiry_date", "expiration"],
  device_limit: ["max_devices", "activations_limit"],
  owner: ["reseller", "username"],
  note: ["notes", "comment"],
  devices: ["hwid", "device_ids"],
};

/** Headings are compared regardless of case, spaces and `_`. */
export function plainHeading(heading: string): string {
  return heading.toLowerCase().replace(/[\s_]/g, "");
}

const namesOf = new Map(
  columns.map((column) => [column, [column, ...(synonyms[column] ?? [])].map(plainHeading)] as const),
);

/** The heading of the file that is mapped to each column, if one is. */
export type ColumnMap = Partial<Record<Column, string>>;

/** `key=Serial No.`: our column, and the heading of the file. Without a heading, the column is left out. */
export function mapOf(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [column = "", heading = ""] = pair.split(/=(.*)/s);
      return [column, heading];
    }),
  );
}

/** The headings of a file, or of an object in it. */
export interface Head {
  headings: readonly string[];
  plain: readonly string[];
  /** Which cell holds each column; -1 for none. */
  places: Record<Column, number>;
  preset: Preset | undefined;
  /** Whether it is the head of this panel's export, whose values need no interpretation. */
  isExport: boolean;
}

/** A line of a file by its cells. */
export type Line = { line: number } & ({ head: Head; cells: readonly string[] } | { problem: string });

/** A column is at its mapped heading, else at the first of its names that the file has. */
export function headOf(headings: readonly string[], map: ColumnMap): Head {
  const plain = headings.map(plainHeading);
  const placeOf = (column: Column) => {
    const mapped = map[column];
    if (mapped === "") return -1;
    const name =
      mapped === undefined ? namesOf.get(column)?.find((each) => plain.includes(each)) : plainHeading(mapped);
    return plain.indexOf(name ?? "");
  };
  const places = Object.fromEntries(columns.map((column) => [column, placeOf(column)])) as Record<Column, number>;
  return { headings, plain, places, preset: presetFor(plain), isExport: headings.join() === columns.join() };
}
