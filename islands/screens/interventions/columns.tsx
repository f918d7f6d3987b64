import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import type { Intervention } from "../../../src/interventions/schema.ts";
import { gamesQuery } from "../../api/calls/catalogue.ts";
import { isAtWork } from "../../api/calls/interventions.ts";
import { resellerQuery } from "../../api/calls/resellers.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextLink } from "../../ui/button.tsx";
import { Dot } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import { Instant } from "../../ui/time.tsx";
import { progressText, stateNames, titleOf } from "./words.ts";

export type Row = Intervention;

const undoAction = { label: "Undo", icon: <Undo2 size={16} /> };

export function interventionColumns(onUndo: (intervention: Row) => void): DataColumn<Row>[] {
  return [
    {
      id: "kind",
      header: "Intervention",
      cell: (row) => <span className="font-medium whitespace-normal">{titleOf(row)}</span>,
      note: ({ reason }) => reason,
    },
    {
      id: "scope",
      header: "Keys",
      width: columnWidth(7, 11),
      wraps: true,
      cell: ({ scope }) => (
        <>
          <Scope {...scope} />
          <Dot />
        </>
      ),
    },
    {
      id: "progress",
      header: "Progress",
      width: columnWidth(7.5, 10),
      cell: (row) => <Progress {...row} />,
    },
    {
      id: "state",
      header: "State",
      width: columnWidth(5.25, 6.75),
      card: "corner",
      cell: ({ state }) => (
        <Badge tone={state === "finished" ? "active" : state === "undone" ? "revoked" : "other"}>
          {stateNames[state]}
        </Badge>
      ),
    },
    {
      id: "at",
      header: "When",
      width: columnWidth(8.9, 10.8),
      card: "foot",
      cell: ({ at, by }) => (
        <span className="flex gap-x-1 md:block">
          <Instant value={at} />
          <span title={by} className="block truncate text-muted md:text-xs">
            by {by}
          </span>
        </span>
      ),
    },
    actionsColumn(
      columnWidth(4.2, 6.5),
      <RowActionsSkeleton actions={[undoAction]} />,
      (row) => isUndoable(row) && <RowAction {...undoAction} danger onClick={() => onUndo(row)} />,
    ),
  ];
}

function isUndoable({ kind, state }: Row): boolean {
  return kind === "compensate" && (state === "running" || state === "finished");
}

function Scope({ gameId, resellerId, orderId }: Row["scope"]) {
  if (gameId !== undefined) return <Game id={gameId} />;
  if (resellerId !== undefined) return <Reseller id={resellerId} />;
  if (orderId !== undefined) return <TextLink href={`/admin/orders/${orderId}`}>Order {orderId}</TextLink>;
  return <span>All keys</span>;
}

function Game({ id }: { id: number }) {
  const { data } = useQuery(gamesQuery);
  return <span>{data?.find((game) => game.id === id)?.name ?? `Game ${id}`}</span>;
}

function Reseller({ id }: { id: number }) {
  const { data } = useQuery({ ...resellerQuery(String(id)), staleTime: Number.POSITIVE_INFINITY });
  return <TextLink href={`/admin/resellers/${id}`}>{data?.username ?? `Reseller ${id}`}</TextLink>;
}

function Progress(row: Row) {
  return (
    <span className="figures block">
      {progressText(row)}
      {isAtWork(row) && (
        <progress
          aria-label={titleOf(row)}
          max={Math.max(1, row.count)}
          value={row.state === "running" ? row.done : row.count - row.done}
          className="mt-1 block w-full max-md:w-24"
        />
      )}
    </span>
  );
}
