import { FileQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import { untilStarted } from "../../../src/core/key-time.ts";
import type { ReadLine } from "../../../src/imports/reading/imported-key.ts";
import { previewOf } from "../../../src/imports/reading/preview.ts";
import { recordBytesMax } from "../../../src/imports/reading/records.ts";
import { statusOf } from "../../../src/keys/model.ts";
import type { KeyStatus } from "../../../src/keys/schema.ts";
import type { ImportForm } from "../../api/calls/imports.ts";
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

/** Room for the head and the lines that are shown, however long they are. */
const beginningBytes = 6 * recordBytesMax;

/** What the first lines of a file become, and which of its headings are unknown. */
export async function previewOfFile(file: File, { map, game, owner }: Pick<ImportForm, "map" | "game" | "owner">) {
  const beginning = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  const now = Date.now();
  const { lines, ...about } = await previewOf(beginning, { map, game, owner, now });
  return { ...about, rows: lines.map((line) => rowOf(line, now)) };
}

function rowOf(line: ReadLine, now: number): PreviewRow {
  if ("problem" in line) return { id: line.line, text: line.key, problem: line.problem, key: null };
  const { text, game, owner, expiresAt, durationHours, devices, deviceLimit } = line;
  return {
    id: line.line,
    text,
    problem: null,
    key: {
      game,
      owner,
      durationHours,
      deviceLimit,
      deviceCount: devices.length,
      expiryDate: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      status: statusOf({ ...line, expiresAt: expiresAt ?? untilStarted }, now),
    },
  };
}
