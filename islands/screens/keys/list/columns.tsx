import { Smartphone } from "lucide-react";
import type { AdminKey, ResellerKey } from "../../../../src/keys/schema.ts";
import { deviceUsageText } from "../../../format.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../../ui/table/column.ts";
import { Time } from "../../../ui/time.tsx";
import { KeyText } from "./key-text.tsx";
import { StatusBadge } from "./status-badge.tsx";

type Column = DataColumn<AdminKey | ResellerKey>;

/*
 * The columns that every list of keys has. A screen puts them in order, adds its actions, and says what is its own about them. A sortable
 * column's id is what the server sorts by; the widths stand, so that no column moves when rows come.
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
  cardSign: <Smartphone aria-hidden size={14} className="ml-1.5" />,
  cell: (key) => <span className="figures">{deviceUsageText(devicesOf(key), key.deviceLimit)}</span>,
};

export const statusColumn: Column = {
  id: "status",
  header: "Status",
  width: columnWidth(5.25, 6.75),
  skeleton: <Skeleton className="w-[5.4rem]" />,
  card: "corner",
  cell: ({ status }) => <StatusBadge status={status} />,
};

/** An admin reads the count as `deviceCount`, its reseller as `devices` (rules.md: Views of a key). */
function devicesOf(key: AdminKey | ResellerKey): number {
  return "deviceCount" in key ? key.deviceCount : key.devices;
}
