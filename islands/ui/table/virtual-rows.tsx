import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { type DataColumn, type ListRow, rowKey, tableRoles } from "./column.ts";
import { DataRow, type Lead } from "./rows.tsx";

const rowsBeyondView = 12;

export interface VirtualRowsProps<Row> {
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  lead?: Lead<Row>;
  /** The average height of rows so far. Each is measured when shown; a wrong estimate would move the visible rows. */
  rowPixels: number;
  className: string;
}

/** Renders only the rows near the window; two spacers keep the scrollbar right. */
export default function VirtualRows<Row extends ListRow>({
  columns,
  rows,
  lead,
  rowPixels,
  className,
}: VirtualRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [pixelsAbove, setPixelsAbove] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setPixelsAbove(body.current.getBoundingClientRect().top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPixels,
    initialOffset: () => window.scrollY,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: rowsBeyondView,
    scrollMargin: pixelsAbove,
  });
  const shown = virtualizer.getVirtualItems();
  const spaceBefore = (shown[0]?.start ?? pixelsAbove) - pixelsAbove;
  const spaceAfter = virtualizer.getTotalSize() + pixelsAbove - (shown.at(-1)?.end ?? pixelsAbove);

  return (
    <tbody ref={body} {...tableRoles.rowGroup} className={className}>
      <Spacer pixels={spaceBefore} columnCount={columns.length} />
      {shown.map((item) => {
        const row = rows[item.index];
        return (
          row && (
            <DataRow
              key={item.key}
              row={row}
              columns={columns}
              lead={lead}
              place={{ index: item.index, measure: virtualizer.measureElement }}
            />
          )
        );
      })}
      <Spacer pixels={spaceAfter} columnCount={columns.length} />
    </tbody>
  );
}

function Spacer({ pixels, columnCount }: { pixels: number; columnCount: number }) {
  if (pixels <= 0) return null;
  return (
    <tr aria-hidden className="max-md:block list-stacks:block">
      <td colSpan={columnCount} style={{ height: pixels }} className="p-0 max-md:block list-stacks:block" />
    </tr>
  );
}
