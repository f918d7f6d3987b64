import { Ban, Eye } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { deviceUsageText, pluralText } from "../../format.ts";
import { keyLook } from "../../key-list/key-look.ts";
import { StatusBadge } from "../../key-list/status-badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActions, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";

interface KeyActs {
  onDetails: (key: AdminKey) => void;
  onRevoke: (key: AdminKey) => void;
}

export const idOf = ({ id }: AdminKey) => id;

/** As wide as a date is, so that its column is too. */
const dateSkeleton = <Skeleton className="w-[5.3rem]" />;
const detailsAction = { label: "Details", icon: <Eye aria-hidden size={16} /> };
const revokeAction = { label: "Revoke", icon: <Ban aria-hidden size={16} /> };

/** A sortable column's id is what the server sorts by; the widths stand, so that no column moves when rows come. */
export function columnsWith(acts: KeyActs): DataColumn<AdminKey>[] {
  return [
    {
      id: "key",
      header: "License Key",
      skeleton: <Skeleton className="w-36" />,
      sortable: true,
      cell: ({ keyString }) => <KeyText keyString={keyString} />,
    },
    {
      id: "game",
      header: "Game",
      width: columnWidth(5.75, 8),
      wraps: true,
      card: "subtitle",
      cell: ({ game }) => game,
    },
    {
      id: "created",
      header: "Created",
      width: columnWidth(5.5, 7.15),
      skeleton: dateSkeleton,
      sortable: true,
      descendingFirst: true,
      cell: ({ createdAt }) => <Time value={createdAt} format="dateInWords" />,
    },
    {
      id: "expiry",
      header: "Expires",
      width: columnWidth(5.5, 7.15),
      skeleton: dateSkeleton,
      sortable: true,
      cell: (key) => <Expiry of={key} />,
    },
    {
      id: "devices",
      header: "Devices",
      width: columnWidth(6.2, 8),
      skeleton: <Skeleton className="w-[5.2rem]" />,
      sortable: true,
      descendingFirst: true,
      cell: ({ deviceCount, deviceLimit }) => (
        <span className="figures">{deviceUsageText(deviceCount, deviceLimit)}</span>
      ),
    },
    {
      id: "status",
      header: "Status",
      width: columnWidth(5.25, 6.75),
      skeleton: <Skeleton className="w-[5.4rem]" />,
      card: "corner",
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: columnWidth(5.5, 13.65),
      align: "right",
      card: "actions",
      skeleton: <RowActionsSkeleton actions={[detailsAction, revokeAction]} />,
      cell: (key) => <KeyActions of={key} {...acts} />,
    },
  ];
}

function KeyText({ keyString }: { keyString: string }) {
  return (
    // As wide as the column is, and never the other way round: a custom key of 64 characters would move what stands beside it.
    <span className="flex min-w-0 items-center md:w-0 md:min-w-full">
      <span className={keyLook} title={keyString}>
        {keyString}
      </span>
      <CopyButton
        iconOnly
        variant="ghost"
        label="Copy key"
        className="-mr-1.5"
        text={keyString}
        onCopied={() => showToast({ title: "Copied", description: "License key copied to clipboard" })}
      />
    </span>
  );
}

/** A table's rows have room for how soon that is, a phone's cards do not. */
function Expiry({ of: { expiryDate, daysRemaining, status } }: { of: AdminKey }) {
  return (
    <>
      <Time value={expiryDate} format="dateInWords" />
      {status === "ACTIVE" && (
        <span className="figures block text-xs text-muted max-md:hidden">{pluralText(daysRemaining, "day")} left</span>
      )}
    </>
  );
}

/** Section 4: a key that is REVOKED stays so, and has no button; one that has merely expired can still be revoked by an admin. */
function KeyActions({ of: key, onDetails, onRevoke }: KeyActs & { of: AdminKey }) {
  return (
    <RowActions>
      <RowAction {...detailsAction} onClick={() => onDetails(key)} />
      {!key.isRevoked && <RowAction {...revokeAction} variant="danger-quiet" onClick={() => onRevoke(key)} />}
    </RowActions>
  );
}
