import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import type { Intervention, InterventionKind } from "../../../src/interventions/schema.ts";
import { gamesQuery } from "../../api/calls/catalogue.ts";
import { isAtWork } from "../../api/calls/interventions.ts";
import { resellerQuery } from "../../api/calls/resellers.ts";
import { countText, durationText, pluralText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextLink } from "../../ui/button.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction } from "../../ui/table/row-action.tsx";
import { Instant } from "../../ui/time.tsx";
import { Resumption } from "../keys/life/pauses.tsx";

export type Row = Intervention;

const undoAction = { label: "Undo", icon: <Undo2 size={16} /> };

/** `paused` has those whose pause runs. */
export function interventionColumns(paused: Set<number>, onUndo: (intervention: Row) => void): DataColumn<Row>[] {
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
      dot: true,
      cell: ({ scope }) => <Scope {...scope} />,
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
      cell: ({ id, state }) => (
        <Badge tone={state === "undone" ? "revoked" : state === "finished" && !paused.has(id) ? "active" : "other"}>
          {state === "finished" && paused.has(id) ? "Paused" : stateNames[state]}
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
    actionsColumn(columnWidth(8.5, 11), [undoAction], (row) => {
      if (paused.has(row.id)) return <Resumption id={row.id} />;
      return isUndoable(row) && <RowAction {...undoAction} danger onClick={() => onUndo(row)} />;
    }),
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

/** `Compensation of 6 hours`, `Pause`. */
function titleOf({ kind, hours }: Pick<Intervention, "kind" | "hours">): string {
  if (kind === "compensate") return `Compensation of ${durationText(hours ?? 0)}`;
  return kind === "pause" ? "Pause" : "Resumption";
}

/** What the form offers, and what its button does. */
export const verbs: Record<InterventionKind, string> = { compensate: "Compensate", pause: "Pause", resume: "Resume" };

const stateNames: Record<Intervention["state"], string> = {
  running: "Running",
  finished: "Done",
  undoing: "Undoing",
  undone: "Undone",
};

/** How far it is, or how it ended. */
function progressText({ state, done, count }: Pick<Intervention, "state" | "done" | "count">): string {
  if (state === "running") return `${countText(done)} of ${pluralText(count, "key")}`;
  if (state === "finished") return pluralText(done, "key");
  if (state === "undoing") return `${pluralText(done, "key")} left`;
  return done === 0 ? "All taken back" : `${pluralText(done, "key")} kept it`;
}
