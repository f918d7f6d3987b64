import type { ReactNode } from "react";

/** One column of a list, as a screen describes it. */
export interface DataColumn<Row> {
  /** Also what the server is asked to sort by, where the column is sortable. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  sortable?: boolean;
  /** Counts and dates are mostly wanted largest or newest first. */
  descendingFirst?: boolean;
  align?: "left" | "right";
  /** A CSS length; columns without one share what is left. */
  width?: string;
  /** What holds the place of a value that is on its way, where a bar would make the column narrower than the value does. */
  skeleton?: ReactNode;
  /** Values that are words may take two lines where the table is narrow. All others stay on one. */
  wraps?: boolean;
  /** What the value is called on a phone's card; the header unless told. */
  cardLabel?: string;
  /** Where it stands on a phone's card. The first column is the title unless told. */
  card?: "title" | "subtitle" | "corner" | "field" | "actions";
}

export interface Sort {
  id: string;
  descending: boolean;
}

export function cardPlaceOf<Row>(column: DataColumn<Row>, index: number): NonNullable<DataColumn<Row>["card"]> {
  return column.card ?? (index === 0 ? "title" : "field");
}

/**
 * For the column that takes what the others of a wide table leave, whose widths are `othersWideRem` together. In a narrow table it
 * keeps enough to be read, and the table scrolls sideways where there is no room for that.
 */
export function restWidth(narrowRem: number, othersWideRem: number): string {
  return `max(${narrowRem}rem, 100cqw - ${othersWideRem}rem - 2px)`;
}

/**
 * Wide enough for what stands in the column, in a narrow table and in a wide one: so the headings stand still when the rows come. The
 * factor turns the table's own width into a switch at 64rem, where a narrow table becomes a wide one.
 */
export function columnWidth(narrowRem: number, wideRem: number): string {
  return `clamp(${narrowRem}rem, (100cqw - 63.9rem) * 999, ${wideRem}rem)`;
}
