import { FileQuestionMark } from "lucide-react";
import { isoOf } from "../../../src/core/clock.ts";
import { untilStarted } from "../../../src/core/key-time.ts";
import { foldedText } from "../../../src/core/text.ts";
import type { ImportedKey, ReadLine } from "../../../src/imports/reading/imported-key.ts";
import { previewOf } from "../../../src/imports/reading/preview.ts";
import type { ReadOptions } from "../../../src/imports/reading/read.ts";
import { recordBytesMax } from "../../../src/imports/reading/records.ts";
import { statusOf } from "../../../src/keys/model.ts";
import type { KeyStatus } from "../../../src/keys/schema.ts";
import { allGamesQuery } from "../../api/calls/catalogue.ts";
import { allResellersQuery } from "../../api/calls/resellers.ts";
import { queryClient } from "../../api/query.ts";
import { deviceUsageText, firstUseText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { OnCard, Verbatim } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";
import { StatusBadge } from "../keys/list/status-badge.tsx";

/** A line of the file. `key` is null for a wrong one. */
export interface PreviewRow {
  id: number;
  text: string;
  problem: string | null;
  key: (ImportedKey & { status: KeyStatus }) | null;
}

const columns: DataColumn<PreviewRow>[] = [
  {
    id: "key",
    header: "License Key",
    cell: ({ id, text }) => (
      <Verbatim className="block truncate max-md:whitespace-normal max-md:wrap-anywhere">
        {text || `Line ${id}`}
      </Verbatim>
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
    dot: isRead,
    cell: ({ id, key }) => (key ? <span>{key.game}</span> : <OnCard>Line {id}</OnCard>),
  },
  {
    id: "owner",
    header: "Owner",
    width: columnWidth(6.5, 9),
    wraps: true,
    dot: isRead,
    cell: ({ key }) => key && <span>{key.owner ?? "Admins"}</span>,
  },
  {
    id: "expires",
    header: "Expires",
    width: columnWidth(7, 9),
    wraps: true,
    dot: isRead,
    cell: ({ key }) =>
      key &&
      (key.expiresAt === null ? <span>{firstUseText(key.durationHours)}</span> : <Time value={isoOf(key.expiresAt)} />),
  },
  {
    id: "devices",
    header: "Devices",
    width: columnWidth(5.8, 7.4),
    cell: ({ key }) => key && <span className="figures">{deviceUsageText(key.devices.length, key.deviceLimit)}</span>,
  },
  {
    id: "status",
    header: "Status",
    width: columnWidth(5.25, 6.75),
    card: "corner",
    cell: ({ key }) => (key ? <StatusBadge status={key.status} /> : <Badge tone="expired">Error</Badge>),
  },
];

function isRead({ key }: PreviewRow): boolean {
  return key !== null;
}

/** The first lines of a file as the keys that they become. `problem` says why there are none. */
export function PreviewTable({ rows, problem }: { rows: PreviewRow[]; problem: string | null }) {
  return (
    <DataTable
      label="Preview"
      columns={columns}
      rows={rows}
      state="ready"
      empty={{
        icon: <FileQuestionMark size={20} />,
        title: "No Keys Found",
        hint: <span role="alert">{problem ?? "The file has no lines."}</span>,
      }}
    />
  );
}

/** Room for the head and the lines that are shown, however long they are. */
const beginningBytes = 6 * recordBytesMax;

/** What the first lines of a file become, and which of its headings are unknown. */
export async function previewOfFile(file: File, options: Omit<ReadOptions, "now">) {
  const beginning = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  const now = Date.now();
  const { lines, ...about } = await previewOf(beginning, { ...options, now });
  // Without the names, the check tells.
  const named = await Promise.all(lines.map((line) => withNames(line).catch(() => line)));
  return { ...about, rows: named.map((line) => rowOf(line, now)) };
}

/** The same line, or its problem if there is no such game or reseller. */
async function withNames(read: ReadLine): Promise<ReadLine> {
  if ("problem" in read) return read;
  const { line, text: key, game, owner } = read;
  const games = (await queryClient.ensureQueryData(allGamesQuery)).flatMap(({ name, aliases }) => [name, ...aliases]);
  const isGame = games.some((name) => foldedText(name) === foldedText(game));
  if (!isGame) return { line, key, problem: `There is no game ${game}.` };
  const resellers = owner === null ? [] : await queryClient.ensureQueryData(allResellersQuery);
  const isOwner = owner === null || resellers.some(({ username }) => username.toLowerCase() === owner.toLowerCase());
  return isOwner ? read : { line, key, problem: `There is no reseller ${owner}.` };
}

function rowOf(line: ReadLine, now: number): PreviewRow {
  const id = line.line;
  if ("problem" in line) return { id, text: line.key, problem: line.problem, key: null };
  const status = statusOf({ ...line, expiresAt: line.expiresAt ?? untilStarted }, now);
  return { id, text: line.text, problem: null, key: { ...line, status } };
}
