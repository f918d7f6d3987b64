import { Ban, Eye, Smartphone } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import type { AdminKey, ResellerKey } from "../../../../src/keys/schema.ts";
import type { KeyDetail } from "../../../api/calls/keys.ts";
import { deviceUsageText } from "../../../format.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../../ui/table/column.ts";
import { RowAction, RowActionPlace, RowActions, RowActionsSkeleton } from "../../../ui/table/row-action.tsx";
import { Time } from "../../../ui/time.tsx";
import { KeyText } from "./key-text.tsx";
import { StatusBadge } from "./status-badge.tsx";

/** A key as a list shows it, to an admin or to its reseller. */
export type Key = AdminKey | ResellerKey;
type Column = DataColumn<Key>;

/*
 * The columns of every list of keys. A screen orders them and overrides what differs. A sortable column's id is the name that the server
 * sorts by. Widths are fixed, so that no column moves when rows arrive.
 */

export const keyColumn: Column = {
  id: "key",
  header: "License Key",
  skeleton: <Skeleton className="w-36" />,
  sortable: true,
  cell: ({ keyString, note }) => <KeyText keyString={keyString} note={note} />,
};

export const gameColumn: Column = {
  id: "game",
  header: "Game",
  width: columnWidth(5.75, 8),
  wraps: true,
  card: "subtitle",
  cell: ({ game }) => game,
};

export const createdColumn: Column = {
  id: "created",
  header: "Created",
  width: columnWidth(5.3, 6.9),
  sortable: true,
  descendingFirst: true,
  cardSign: "",
  cell: ({ createdAt }) => <Time value={createdAt} />,
};

export const expiryColumn: Column = {
  id: "expiry",
  header: "Expires",
  width: columnWidth(5.3, 6.9),
  sortable: true,
  cardSign: "–",
  cell: ({ expiryDate }) => <Time value={expiryDate} />,
};

export const devicesColumn: Column = {
  id: "devices",
  header: "Devices",
  width: columnWidth(5.8, 7.4),
  skeleton: <Skeleton className="w-[5.2rem]" />,
  sortable: true,
  descendingFirst: true,
  card: "aside",
  cardSign: <Smartphone size={14} className="ml-1.5" />,
  cell: (key) => <span className="figures">{deviceUsageText(deviceCountOf(key), key.deviceLimit)}</span>,
};

export const statusColumn: Column = {
  id: "status",
  header: "Status",
  width: columnWidth(5.25, 6.75),
  skeleton: <Skeleton className="w-[5.4rem]" />,
  card: "corner",
  cell: ({ status }) => <StatusBadge status={status} />,
};

const revokeAction = { label: "Revoke", icon: <Ban size={16} /> };

interface Actions {
  area: Role;
  width: string;
  onRevoke: (key: Key) => void;
  /** The button that opens a key, where the list has one. */
  view?: { label: string; onView: (key: Key) => void };
}

export function actionsColumn({ area, width, onRevoke, view }: Actions): Column {
  const viewAction = view && { label: view.label, icon: <Eye size={16} /> };
  return {
    id: "actions",
    header: "Actions",
    width,
    align: "right",
    card: "actions",
    skeleton: <RowActionsSkeleton actions={viewAction ? [viewAction, revokeAction] : [revokeAction]} />,
    cell: (key) =>
      (viewAction || isRevocable(area, key)) && (
        <RowActions>
          {viewAction && <RowAction {...viewAction} onClick={() => view.onView(key)} />}
          {isRevocable(area, key) ? (
            <RowAction {...revokeAction} danger onClick={() => onRevoke(key)} />
          ) : (
            <RowActionPlace {...revokeAction} />
          )}
        </RowActions>
      ),
  };
}

/** An admin may also revoke an expired key, a reseller only an ACTIVE one (rules.md: Revoking). */
export function isRevocable(area: Role, { status }: Pick<Key, "status">): boolean {
  return area === "admin" ? status !== "REVOKED" : status === "ACTIVE";
}

/** Admins receive the count as `deviceCount`, resellers' lists as `devices` (rules.md: Views of a key). */
export function deviceCountOf(key: Key | KeyDetail): number {
  return "deviceCount" in key ? key.deviceCount : key.devices;
}
