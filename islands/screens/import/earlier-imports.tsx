import { Undo2 } from "lucide-react";
import { useMemo } from "react";
import type { ListedImport } from "../../../src/imports/schema.ts";
import { importList } from "../../api/calls/imports.ts";
import { usePagedRows } from "../../api/paged-rows.ts";
import { refresh } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextLink } from "../../ui/button.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { actionsColumn, RowAction } from "../../ui/table/row-action.tsx";
import { Instant } from "../../ui/time.tsx";

const Undo = lazyDialog(() => import("./undo.tsx"));

/** What was imported before, newest first. */
export default function EarlierImports() {
  const list = usePagedRows(importList, {});
  const { dialog, show } = useDialog<{ of: ListedImport }>();
  const columns = useMemo(() => columnsWith((of) => show({ of })), [show]);
  return (
    <section aria-label="Earlier imports">
      <h2 className="mt-4 mb-3 text-lg font-semibold tracking-tight">Earlier Imports</h2>
      <DataTable
        {...list}
        label="Earlier imports"
        columns={columns}
        skeletonRows={3}
        empty={{ title: "No imports yet" }}
      />
      {dialog && <Undo {...dialog} onChanged={() => void refresh(importList)} />}
    </section>
  );
}

const undoAction = { label: "Undo", icon: <Undo2 size={16} /> };

const states = {
  running: <Badge tone="other">Running</Badge>,
  finished: <Badge tone="active">Done</Badge>,
  undone: <Badge tone="revoked">Undone</Badge>,
};

function countsText({ valid, duplicate, wrong }: ListedImport): string {
  const leftOut = duplicate + wrong;
  return `${pluralText(valid, "key")}${leftOut > 0 ? `, ${pluralText(leftOut, "line")} left out` : ""}`;
}

const columnsWith = (undo: (of: ListedImport) => void): DataColumn<ListedImport>[] => [
  {
    id: "file",
    header: "File",
    cell: ({ id, fileName }) => (
      <TextLink href={`/admin/import?id=${id}`} className="row-link whitespace-normal wrap-anywhere">
        {fileName ?? `Import ${id}`}
      </TextLink>
    ),
    note: countsText,
  },
  { id: "state", header: "State", width: columnWidth(5.25, 6.75), card: "corner", cell: ({ state }) => states[state] },
  { id: "at", header: "When", width: columnWidth(8.9, 10.8), card: "foot", cell: ({ at }) => <Instant value={at} /> },
  actionsColumn(
    columnWidth(4.2, 6.5),
    [undoAction],
    (row) =>
      row.state === "finished" && row.valid > 0 && <RowAction {...undoAction} danger onClick={() => undo(row)} />,
  ),
];
