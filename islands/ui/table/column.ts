import type { ReactNode } from "react";

/** A row of a list, which its id or its name identifies. */
export type ListRow = { id: string | number } | { name: string };

export function rowKey(row: ListRow): string | number {
  return "id" in row ? row.id : row.name;
}

/** One column of a list. */
export interface DataColumn<Row> {
  /** Also the sort key of the server, if the column is sortable. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Of the first column: a text below the value, or below the facts of a phone's card. */
  note?: (row: Row) => string | null;
  /** How much of the note is shown, by default two lines; `brief` has one line on a phone's card. */
  noteLines?: "brief" | "two" | "all";
  sortable?: boolean;
  /** For counts and dates, which are mostly wanted largest or newest first. */
  descendingFirst?: boolean;
  align?: "left" | "right";
  /** A CSS length; columns without one share the rest. */
  width?: string;
  /** The placeholder of a value, where a bar would make the column narrower than the value does. */
  skeleton?: ReactNode;
  /** Text may take two lines where the table is narrow. Other values never wrap. */
  wraps?: boolean;
  /**
   * Its place on a phone's card, by default `title` for the first column and `fact` for the others. The first line has
   * the title and, at the right, the corner; the second the facts (a subtitle is one) and, at the right, the side; the
   * note follows; the last line has the foot and the actions.
   */
  card?: "title" | "subtitle" | "corner" | "fact" | "side" | "foot" | "actions";
  /** Whether another fact follows on a card, after a dot. */
  dot?: boolean | ((row: Row) => boolean);
}

export interface Sort {
  id: string;
  descending: boolean;
}

export function cardPlaceOf<Row>(column: DataColumn<Row>, index: number): NonNullable<DataColumn<Row>["card"]> {
  return column.card ?? (index === 0 ? "title" : "fact");
}

/** The space of the checkbox before the first cell. */
export const gutterWidth = "1.75rem";

/**
 * Headings align with their values, the outer ones keep the inset of the card, and text keeps a distance from figures
 * before it.
 */
export function cellPaddingOf<Row>(columns: readonly DataColumn<Row>[], index: number): string {
  const before = columns.slice(0, index).findLast(({ card }) => card !== "subtitle");
  const afterFigures = before?.align === "right" && columns[index]?.align !== "right";
  return afterFigures ? "list-cell list-narrow:pl-3!" : "list-cell";
}

/** Where a list is narrow enough to stack its rows, the subtitle is below the title and has no column. */
export function stacks<Row>(columns: readonly DataColumn<Row>[]): boolean {
  return columns.some(({ card }) => card === "subtitle");
}

/** The columns of a stacking list, as the tracks of a grid. */
export function tracksOf<Row>(columns: readonly DataColumn<Row>[]): string {
  return columns
    .filter(({ card }) => card !== "subtitle")
    .map(({ width }) => width ?? "minmax(0, 1fr)")
    .join(" ");
}

/**
 * A width that fits the values, given for a list of 39.5rem and for one of 65rem, whose buttons have text, so that
 * headings do not move when the rows arrive. Letters grow at 48rem, and columns before that; in a wide list columns
 * grow with the list. The factor turns the width of the list into a switch at 65rem. The first column has no width: the
 * others leave it at least 10rem of a narrow list and 13rem of a wide one. `namesRem` is the additional width of button
 * labels on touch screens.
 */
export function columnWidth(smallRem: number, wideRem: number, namesRem = 0): string {
  const clamped = `clamp(${smallRem}rem, ${(smallRem * 1.125) / 0.48}cqw, ${smallRem * 1.125}rem)`;
  const narrow = namesRem === 0 ? clamped : `${clamped} + ${namesRem}rem * var(--names)`;
  return `max(${narrow}, min((100cqw - 64.999rem) * 99999, ${wideRem / 0.65}cqw))`;
}

/**
 * Explicit roles for the elements of a table. Some assistive technology does not recognise a `<tr>` laid out as a card,
 * and a list keeps the same elements on phones; elsewhere they only repeat the implicit roles.
 */
export const tableRoles = {
  table: { role: "table" },
  rowGroup: { role: "rowgroup" },
  row: { role: "row" },
  heading: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
