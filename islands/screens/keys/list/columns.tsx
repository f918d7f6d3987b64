import { clsx } from "clsx";
import { Ban, CalendarPlus, Eye, RefreshCw, Smartphone } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import type { AdminKey, ResellerKey } from "../../../../src/keys/schema.ts";
import type { KeyDetail } from "../../../api/calls/keys.ts";
import { type DateFormat, deviceUsageText } from "../../../format.ts";
import { useRights } from "../../../runtime/rights.ts";
import { MenuButton } from "../../../ui/menu-button.tsx";
import type { PageHeadingProps } from "../../../ui/page-heading.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Dot, OnCard } from "../../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../../ui/table/column.ts";
import { actionsColumn, RowAction } from "../../../ui/table/row-action.tsx";
import { Time } from "../../../ui/time.tsx";
import { KeyExpiry, timeLeftText } from "./key-expiry.tsx";
import { KeyText } from "./key-text.tsx";
import { StatusBadge } from "./status-badge.tsx";

/** A key as a list shows it, to an admin or to its reseller. */
export type Key = AdminKey | ResellerKey;
type Column = DataColumn<Key>;

/** Where pages about keys lead back to. */
export const keysPages: Record<Role, PageHeadingProps["back"]> = {
  admin: { href: "/admin/create-keys", label: "Key Management" },
  reseller: { href: "/reseller/keys", label: "Manage Keys" },
};

export function keyColumn(area: Role): Column {
  return {
    id: "key",
    header: "License Key",
    skeleton: <Skeleton className="w-36" />,
    sortable: true,
    cell: ({ id, keyString }) => <KeyText href={`/${area}/keys/${id}`} keyString={keyString} />,
    // A replaced key has no note.
    note: ({ note, replacedBy }) => (replacedBy === null ? note : "Replaced by a new key"),
  };
}

export const gameColumn: Column = {
  id: "game",
  header: "Game",
  width: columnWidth(5.75, 8),
  wraps: true,
  card: "subtitle",
  dot: true,
  cell: ({ game }) => <span translate="no">{game}</span>,
};

export const expiryColumn: Column = {
  id: "expiry",
  header: "Expires",
  width: columnWidth(5.3, 6.9),
  sortable: true,
  card: "foot",
  cell: (key) => <ExpiryAndLeft of={key} />,
};

const dateLook = "max-md:text-xs max-md:tracking-tight";

/** A table's rows have room for the remaining time, a phone's cards do not. */
export function ExpiryAndLeft({ of: key, format }: { of: Key; format?: DateFormat }) {
  const left = timeLeftText(key);
  return (
    <span className={dateLook}>
      <KeyExpiry of={key} format={format} />
      {left && <span className="figures block text-xs whitespace-normal text-muted max-md:hidden">{left}</span>}
    </span>
  );
}

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

/** What the dialogs about one key do (key-dialog.tsx). */
export type KeyAction = "extend" | "limit" | "note" | "pause" | "removeAll" | "replace" | "revoke";
export type OpenKey = (action: KeyAction | "view", key: Key) => void;

/**
 * The columns of a list of keys. A sortable column's id is the name that the server sorts by. Widths are fixed, so that
 * no column moves when rows arrive.
 */
export function keyColumns(area: Role, options: KeyColumnOptions, open: OpenKey): Column[] {
  const { key, created, expiry, actionsWidth, viewLabel } = options;
  const view = viewLabel && { label: viewLabel, icon: <Eye size={16} />, className: terse };
  return [
    { ...keyColumn(area), ...key },
    gameColumn,
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
      view ? [view, extendAction, revokeAction] : [extendAction, revokeAction],
      (row) =>
        (view || isExtensible(row)) && (
          <>
            {view && <RowAction {...view} onClick={() => open("view", row)} />}
            <RowAction {...extendAction} isLacking={!isExtensible(row)} onClick={() => open("extend", row)} />
            <RowAction
              {...revokeAction}
              danger
              isLacking={!isRevocable(area, row)}
              onClick={() => open("revoke", row)}
            />
            <KeyMenu of={row} open={open} />
          </>
        ),
    ),
  ];
}

/** Cards, and rows whose icons have labels below them, have no room for it: the key's page has the same. */
const menuLook = "w-6.5! max-md:hidden list-named:hidden";

/** A row that lacks it keeps its place, so that the buttons before it align with the rows above. */
function KeyMenu({ of: key, open }: { of: Key; open: OpenKey }) {
  if (!useRights().may(replaceAction.need)) return null;
  if (!isReplaceable(key)) return <span aria-hidden className={menuLook} />;
  const items = [{ ...replaceAction, onSelect: () => open("replace", key) }];
  return <MenuButton variant="row" className={menuLook} about={key.keyString} items={items} />;
}

/** On a card the expiry follows. */
export function CreatedAt({ of: { createdAt, expiryDate }, format }: { of: Key; format?: DateFormat }) {
  return (
    <span className={dateLook}>
      <Time value={createdAt} format={format} />
      {expiryDate === null ? <Dot /> : <OnCard> –</OnCard>}
    </span>
  );
}

/**
 * Three buttons with text leave no room for icons, icons stand close together, and on a card, beside the dates, the
 * buttons are only words.
 */
export const terse = clsx(
  "list-wide:[&_svg]:hidden pointer-fine:list-narrow:px-1! pointer-fine:list-narrow:not-first:-ml-0.5",
  "max-md:min-w-0! max-md:border-x-0 max-md:bg-transparent! max-md:px-0! max-md:not-first:ml-1",
  "max-[24rem]:not-first:ml-0 max-[24rem]:text-xs max-[24rem]:tracking-tight",
);

const extendAction = {
  label: "Extend",
  icon: <CalendarPlus size={16} />,
  className: terse,
  need: "keys:order",
} as const;
const revokeAction = { label: "Revoke", icon: <Ban size={16} />, className: terse, need: "keys:manage" } as const;

export const replaceAction = { label: "Replace", icon: <RefreshCw size={16} />, need: "keys:manage" } as const;

/** Its text can be replaced while it is ACTIVE or PAUSED (rules.md: Replacing keys). */
export function isReplaceable({ status }: Pick<Key, "status">): boolean {
  return status === "ACTIVE" || status === "PAUSED";
}

export function isExtensible({ status }: Pick<Key, "status">): boolean {
  return status !== "REVOKED";
}

/** An admin may also revoke an expired key, a reseller only an ACTIVE or PAUSED one (rules.md: Revoking). */
export function isRevocable(area: Role, { status }: Pick<Key, "status">): boolean {
  return area === "admin" ? status !== "REVOKED" : isReplaceable({ status });
}

/** Admins receive the count as `deviceCount`, resellers' lists as `devices` (rules.md: Views of a key). */
export function deviceCountOf(key: Key | KeyDetail): number {
  return "deviceCount" in key ? key.deviceCount : key.devices;
}
