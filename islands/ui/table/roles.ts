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
