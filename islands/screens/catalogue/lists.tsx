import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Construction, Pencil } from "lucide-react";
import { useMemo } from "react";
import type { Duration, Game } from "../../../src/catalogue/schema.ts";
import {
  allGamesQuery,
  changeDuration,
  changeGame,
  durationsQuery,
  refreshCatalogue,
} from "../../api/calls/catalogue.ts";
import { useWork } from "../../api/query.ts";
import { wholeList } from "../../api/query-failure.tsx";
import { useRights } from "../../runtime/rights.ts";
import { Badge } from "../../ui/badge.tsx";
import { Count, OnCard } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { actionsColumn, RowAction } from "../../ui/table/row-action.tsx";
import type { Subject } from "./dialogs.tsx";

type Show = (subject: Subject) => void;

/** The newest first, and what is retired last. */
export function Games({ show }: { show: Show }) {
  const query = useQuery(allGamesQuery);
  const columns = useMemo(() => gameColumns(show), [show]);
  return (
    <DataTable
      {...useRows(
        query,
        "The games could not be loaded.",
        (a, b) => Number(a.isRetired) - Number(b.isRetired) || b.id - a.id,
      )}
      label="Games"
      columns={useRights().may("everything") ? columns : columns.slice(0, -1)}
      skeletonRows={3}
      empty={{ title: "No games yet" }}
    />
  );
}

/** The shortest first, as in forms. */
export function Durations({ show }: { show: Show }) {
  const query = useQuery(durationsQuery);
  const columns = useMemo(() => durationColumns(show), [show]);
  return (
    <DataTable
      {...useRows(query, "The durations could not be loaded.", (a, b) => a.hours - b.hours)}
      label="Durations"
      columns={useRights().may("everything") ? columns : columns.slice(0, -1)}
      skeletonRows={5}
      empty={{ title: "No durations yet" }}
    />
  );
}

function useRows<Row>(query: UseQueryResult<Row[]>, failure: string, order: (a: Row, b: Row) => number) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order of a list never changes.
  const rows = useMemo(() => query.data?.toSorted(order) ?? [], [query.data]);
  return { ...wholeList(query, failure), rows };
}

const editAction = { label: "Edit", icon: <Pencil size={16} /> };
const downAction = { label: "Maintenance…", icon: <Construction size={16} />, className: "list-named:max-w-none" };
const retireAction = { label: "Retire", otherLabel: "Bring Back", icon: <Archive size={16} /> };
const actions = [editAction, retireAction];
const actionsWidth = columnWidth(5.5, 15);

function gameColumns(show: Show): DataColumn<Game>[] {
  return [
    {
      id: "name",
      header: "Game",
      cell: ({ name }) => <span className="whitespace-normal wrap-anywhere">{name}</span>,
      note: ({ aliases, maintenance }) =>
        [maintenance ?? "", aliases.length > 0 ? `Also ${aliases.join(", ")}` : ""].filter(Boolean).join(" · "),
    },
    {
      id: "prefix",
      header: "Prefix",
      width: columnWidth(5.5, 8),
      dot: ({ minimumVersion }) => minimumVersion !== null,
      cell: ({ prefix }) => (prefix === "" ? <span>No prefix</span> : <span className="key-text">{prefix}</span>),
    },
    {
      id: "version",
      header: "Minimum Version",
      width: columnWidth(6.5, 10),
      cell: ({ minimumVersion }) =>
        minimumVersion === null ? (
          <span className="max-md:hidden">Any</span>
        ) : (
          <>
            <OnCard>From version </OnCard>
            {minimumVersion}
          </>
        ),
    },
    statusColumn,
    actionsColumn(columnWidth(7.7, 22.5, 2.5), [editAction, downAction, retireAction], (game) => (
      <Actions {...game} game={game} kind="Game" onEdit={() => show({ action: "game", game })} show={show} />
    )),
  ];
}

function durationColumns(show: Show): DataColumn<Duration>[] {
  return [
    {
      id: "label",
      header: "Duration",
      cell: ({ label }) => <span className="whitespace-normal wrap-anywhere">{label}</span>,
    },
    {
      id: "hours",
      header: "Hours",
      width: columnWidth(5, 8),
      align: "right",
      cell: ({ hours }) => <Count of={hours} unit="hour" />,
    },
    statusColumn,
    actionsColumn(actionsWidth, actions, (duration) => {
      const { id, label, isRetired } = duration;
      const onEdit = () => show({ action: "duration", duration });
      return <Actions kind="Duration" id={id} name={label} isRetired={isRetired} onEdit={onEdit} show={show} />;
    }),
  ];
}

const statusColumn: DataColumn<Game | Duration> = {
  id: "status",
  header: "Status",
  width: columnWidth(7, 9),
  card: "corner",
  cell: (row) => <Status {...row} />,
};

function Status({ isRetired, maintenance = null }: { isRetired: boolean; maintenance?: string | null }) {
  const isDown = !isRetired && maintenance !== null;
  return (
    <Badge tone={isRetired ? "revoked" : isDown ? "other" : "active"} dot>
      {isRetired ? "Retired" : isDown ? "Maintenance" : "Active"}
    </Badge>
  );
}

interface ActionsProps {
  kind: "Game" | "Duration";
  id: number;
  name: string;
  isRetired: boolean;
  onEdit: () => void;
  show: Show;
  game?: Game;
}

/** Retiring asks first; bringing back does not. */
function Actions({ kind, id, name, isRetired, onEdit, show, game }: ActionsProps) {
  const onMaintenance = game && (() => show({ action: "maintenance", game }));
  const { mutate, isPending } = useWork({
    mutationFn: async () => void (await (kind === "Game" ? changeGame : changeDuration)(id, { isRetired: false })),
    done: `${name} is back`,
    failed: `Failed to bring back ${name}`,
    onSuccess: refreshCatalogue,
  });
  return (
    <>
      <RowAction {...editAction} aria-label={`Edit ${name}`} onClick={onEdit} />
      {game && <RowAction {...downAction} aria-label={`Maintenance of ${name}…`} onClick={onMaintenance} />}
      {isRetired ? (
        <RowAction
          label="Bring Back"
          icon={<ArchiveRestore size={16} />}
          aria-label={`Bring back ${name}`}
          busy={isPending}
          onClick={() => mutate()}
        />
      ) : (
        <RowAction
          {...retireAction}
          danger
          aria-label={`Retire ${name}`}
          onClick={() => show({ action: "retirement", kind, id, name })}
        />
      )}
    </>
  );
}
