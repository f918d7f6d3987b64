import { Ban, Eye, Smartphone } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import type { AdminKey, ResellerKey } from "../../../../src/keys/schema.ts";
import type { KeyDetail } from "../../../api/calls/keys.ts";
import { type DateFormat, deviceUsageText } from "../../../format.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Dot, OnCard } from "../../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../../ui/table/column.ts";
import { actionsColumn, RowAction, RowActionPlace, RowActionsSkeleton } from "../../../ui/table/row-action.tsx";
import { Time } from "../../../ui/time.tsx";
import { KeyExpiry } from "./key-expiry.tsx";
import { KeyText } from "./key-text.tsx";
import { StatusBadge } from "./status-badge.tsx";

/** A key as a list shows it, to an admin or to its reseller. */
export type Key = AdminKey | ResellerKey;
type Column = DataColumn<Key>;

export function keyColumn(area: Role): Column {
  return {
    id: "key",
    header: "License Key",
    skeleton: <Skeleton className="w-36" />,
    sortable: true,
    cell: ({ id, keyString }) => <KeyText href={`/${area}/keys/${id}`} keyString={keyString} />,
    note: ({ note }) => note,
  };
}

export const expiryColumn: Column = {
  id: "expiry",
  header: "Expires",
  width: columnWidth(5.3, 6.9),
  sortable: true,
  card: "foot",
  cell: (key) => <KeyExpiry of={key} />,
};

export const devicesColumn: Column = {
  id: "devices",
  header: "Devices",
  width: columnWidth(5.8, 7.4),
  skeleton: <Skeleton className="w-[5.2rem]" />,
  sortable: true,
  descendingFirst: true,
  cell: (key) => (
    <span className="figures flex items-center gap-1">
      <Smartphone size={14} className="md:hidden" />
      {deviceUsageText(deviceCountOf(key), key.deviceLimit)}
    </span>
  ),
};

export const statusColumn: Column = {
  id: "status",
  header: "Status",
  width: columnWidth(5.25, 6.75),
  skeleton: <Skeleton className="w-[5.4rem]" />,
  card: "corner",
  cell: ({ status }) => <StatusBadge status={status} />,
};

/** How the columns of one list of keys differ from those of the others. */
export interface KeyColumnOptions {
  key?: Partial<Column>;
  created?: Partial<Column>;
  expiry?: Partial<Column>;
  actionsWidth: string;
  /** The label of the button that opens a key, if the list has one. */
  viewLabel?: string;
}

export interface KeyActions {
  onRevoke: (key: Key) => void;
  onView?: (key: Key) => void;
}

/**
 * The columns of a list of keys. A sortable column's id is the name that the server sorts by. Widths are fixed, so that
 * no column moves when rows arrive.
 */
export function keyColumns(area: Role, options: KeyColumnOptions, actions: KeyActions): Column[] {
  const { key, created, expiry, actionsWidth, viewLabel } = options;
  const view = viewLabel && { label: viewLabel, icon: <Eye size={16} /> };
  return [
    { ...keyColumn(area), ...key },
    {
      id: "game",
      header: "Game",
      width: columnWidth(5.75, 8),
      wraps: true,
      card: "subtitle",
      dot: true,
      cell: ({ game }) => game,
    },
    {
      id: "created",
      header: "Created",
      width: columnWidth(5.3, 6.9),
      sortable: true,
      descendingFirst: true,
      card: "foot",
      cell: (key) => <CreatedAt of={key} />,
      ...created,
    },
    { ...expiryColumn, ...expiry },
    devicesColumn,
    statusColumn,
    actionsColumn(
      actionsWidth,
      <RowActionsSkeleton actions={view ? [view, revokeAction] : [revokeAction]} />,
      (row) =>
        (view || isRevocable(area, row)) && (
          <>
            {view && <RowAction {...view} onClick={() => actions.onView?.(row)} />}
            {isRevocable(area, row) ? (
              <RowAction {...revokeAction} danger onClick={() => actions.onRevoke(row)} />
            ) : (
              <RowActionPlace {...revokeAction} />
            )}
          </>
        ),
    ),
  ];
}

/** On a card the expiry follows. */
export function CreatedAt({ of: { createdAt, expiryDate }, format }: { of: Key; format?: DateFormat }) {
  return (
    <>
      <Time value={createdAt} format={format} />
      {expiryDate === null ? <Dot /> : <OnCard> –</OnCard>}
    </>
  );
}

const revokeAction = { label: "Revoke", icon: <Ban size={16} /> };

/** An admin may also revoke an expired key, a reseller only an ACTIVE or PAUSED one (rules.md: Revoking). */
export function isRevocable(area: Role, { status }: Pick<Key, "status">): boolean {
  return area === "admin" ? status !== "REVOKED" : status === "ACTIVE" || status === "PAUSED";
}

/** Admins receive the count as `deviceCount`, resellers' lists as `devices` (rules.md: Views of a key). */
export function deviceCountOf(key: Key | KeyDetail): number {
  return "deviceCount" in key ? key.deviceCount : key.devices;
}
