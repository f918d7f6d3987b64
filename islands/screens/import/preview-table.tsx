import { FileQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import type { KeyStatus } from "../../../src/keys/schema.ts";
import { deviceUsageText, firstUseText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Dot, OnCard } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { StatusBadge } from "../keys/list/status-badge.tsx";

/** A line of the file. `key` is null for a wrong one. */
export interface PreviewRow {
  id: number;
  text: string;
  problem: string | null;
  key: {
    game: string;
    owner: string | null;
    expiryDate: string | null;
    durationHours: number | null;
    deviceCount: number;
    deviceLimit: number;
    status: KeyStatus;
  } | null;
}

const columns: DataColumn<PreviewRow>[] = [
  {
    id: "key",
    header: "License Key",
    cell: ({ id, text }) => (
      <span translate="no" className="key-text block truncate max-md:whitespace-normal max-md:wrap-anywhere">
        {text || `Line ${id}`}
      </span>
    ),
    note: ({ problem }) => problem,
    noteLines: "all",
  },
  {
    id: "game",
    header: "Game",
    width: columnWidth(6.5, 9),
    wraps: true,
    // The card of a wrong line has no facts.
    cell: ({ id, key }) => (key ? <WithDot>{key.game}</WithDot> : <OnCard>Line {id}</OnCard>),
  },
  {
    id: "owner",
    header: "Owner",
    width: columnWidth(6.5, 9),
    wraps: true,
    cell: ({ key }) => key && <WithDot>{key.owner ?? "Admins"}</WithDot>,
  },
  {
    id: "expires",
    header: "Expires",
    width: columnWidth(7, 9),
    wraps: true,
    cell: ({ key }) =>
      key && (
        <WithDot>{key.expiryDate === null ? firstUseText(key.durationHours) : <Time value={key.expiryDate} />}</WithDot>
      ),
  },
  {
    id: "devices",
    header: "Devices",
    width: columnWidth(5.8, 7.4),
    cell: ({ key }) => key && <span className="figures">{deviceUsageText(key.deviceCount, key.deviceLimit)}</span>,
  },
  {
    id: "status",
    header: "Status",
    width: columnWidth(5.25, 6.75),
    card: "corner",
    cell: ({ key }) => (key ? <StatusBadge status={key.status} /> : <Badge tone="expired">Wrong</Badge>),
  },
];

function WithDot({ children }: { children: ReactNode }) {
  return (
    <span>
      {children}
      <Dot />
    </span>
  );
}

/** The first lines of a file as the keys that they become. `problem` says why there are none. */
export function PreviewTable({ rows, problem }: { rows: PreviewRow[]; problem: string | null }) {
  return (
    <DataTable
      label="First lines"
      columns={columns}
      rows={rows}
      state="ready"
      empty={
        <EmptyState
          icon={<FileQuestionMark size={20} />}
          title="No Keys Found"
          hint={<span role="alert">{problem ?? "The file has no lines."}</span>}
        />
      }
    />
  );
}
