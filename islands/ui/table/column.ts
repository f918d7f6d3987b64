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
  /** Where values say themselves what they are: what stands between this one and the one before it. The name is then read out only. */
  cardSign?: ReactNode;
  /** Where it stands on a phone's card. The first column is the title unless told. */
  card?: "title" | "subtitle" | "aside" | "corner" | "field" | "actions";
}

export interface Sort {
  id: string;
  descending: boolean;
}

export function cardPlaceOf<Row>(column: DataColumn<Row>, index: number): NonNullable<DataColumn<Row>["card"]> {
  return column.card ?? (index === 0 ? "title" : "field");
}

const cellPadding =
  "px-1.5 list-small:px-1 list-wide:px-2.5 @6xl/list:px-4 md:first:pl-[var(--gutter,1rem)] md:last:pr-4 list-small:first:pl-[var(--gutter,0.75rem)] list-small:last:pr-3";

/** What the box that chooses a row needs before the first cell. */
export const gutterWidth = "1.75rem";

/** A heading stands over its values, the outer ones keep the card's inset, and words keep off the figures before them. */
export function cellPaddingOf<Row>(columns: readonly DataColumn<Row>[], index: number): string {
  const afterFigures = columns[index - 1]?.align === "right" && columns[index]?.align !== "right";
  return afterFigures ? `${cellPadding} list-narrow:pl-3!` : cellPadding;
}

/** Where its own width lets a list stack its rows, the subtitle stands under the title and has no column. */
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
 * Wide enough for what stands in the column, told for a list of 39.5rem and for one of 65rem, whose buttons have words: so the headings
 * stand still when the rows come. A list's letters grow at 48rem, and its columns before that; a wide list's columns grow with the
 * list. The factor turns the list's own width into a switch at 65rem. The first column has no width: what the others leave it is at
 * least 10rem of a narrow list and 13rem of a wide one. `namesRem` is what the names of buttons need more, where a finger has to read them.
 */
export function columnWidth(smallRem: number, wideRem: number, namesRem = 0): string {
  const clamped = `clamp(${smallRem}rem, ${(smallRem * 1.125) / 0.48}cqw, ${smallRem * 1.125}rem)`;
  const narrow = namesRem === 0 ? clamped : `${clamped} + ${namesRem}rem * var(--names)`;
  return `max(${narrow}, min((100cqw - 64.999rem) * 99999, ${wideRem / 0.65}cqw))`;
}

/**
 * The roles of a table's elements, written out. A `<tr>` that CSS lays out as a card is no row to some assistive technology, and a
 * list keeps the same elements on phones; everywhere else they repeat what the elements say.
 */
export const tableRoles = {
  table: { role: "table" },
  rowGroup: { role: "rowgroup" },
  row: { role: "row" },
  heading: { role: "columnheader" },
  cell: { role: "cell" },
} as const;
