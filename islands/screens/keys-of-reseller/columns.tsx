import { Ban } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { deviceUsageText } from "../../format.ts";
import { keyLook } from "../../key-list/key-look.ts";
import { StatusBadge } from "../../key-list/status-badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActions, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";

const revokeAction = { label: "Revoke", icon: <Ban aria-hidden size={16} /> };

/** Section 2. A sortable column's id is what the server sorts by; the widths stand, so that no column moves when rows come. */
export function columnsWith(onRevoke: (key: AdminKey) => void): DataColumn<AdminKey>[] {
  return [
    {
      id: "key",
      header: "License Key",
      skeleton: <Skeleton className="w-36" />,
      sortable: true,
      cell: (key) => <KeyText keyString={key.keyString} />,
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
      width: columnWidth(4.9, 6.6),
      sortable: true,
      descendingFirst: true,
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      id: "expiry",
      header: "Expires",
      width: columnWidth(4.9, 6.6),
      sortable: true,
      cell: ({ expiryDate }) => <Time value={expiryDate} />,
    },
    {
      id: "devices",
      header: "Devices",
      width: columnWidth(6.2, 8),
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
      card: "corner",
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: columnWidth(4.2, 8.1),
      align: "right",
      card: "actions",
      skeleton: <RowActionsSkeleton actions={[revokeAction]} />,
      cell: (key) => <KeyActions revocable={key} onRevoke={onRevoke} />,
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

/** Section 4: whoever is REVOKED stays so, and has no button; what has merely expired can still be revoked by an admin. */
function KeyActions({ revocable, onRevoke }: { revocable: AdminKey; onRevoke: (key: AdminKey) => void }) {
  if (revocable.isRevoked) return null;
  return (
    <RowActions>
      <RowAction {...revokeAction} variant="danger-quiet" onClick={() => onRevoke(revocable)} />
    </RowActions>
  );
}
