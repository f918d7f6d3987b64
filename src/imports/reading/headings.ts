import { type Column, columns } from "../../keys/export/columns.ts";

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

const headingsOf = new Map(
  columns.map((column) => [column, [column, ...(synonyms[column] ?? [])].map(plainHeading)] as const),
);

/** A line's values by their plain headings. */
export type Values = ReadonlyMap<string, string>;

export type Line = { line: number } & ({ values: Values } | { problem: string });

/** The heading of the file that is mapped to each column, if one is. */
export type ColumnMap = Partial<Record<Column, string>>;

/** Which heading of a file stands for a column: the mapped one, else the first of its names that the file has. */
export function headingOf(column: Column, has: (heading: string) => boolean, map: ColumnMap): string | undefined {
  const mapped = map[column];
  return mapped === undefined ? headingsOf.get(column)?.find(has) : plainHeading(mapped);
}
