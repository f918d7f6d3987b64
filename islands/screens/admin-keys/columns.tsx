import { Ban, Eye } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { deviceUsageText, pluralText } from "../../format.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { DataColumn } from "../../ui/data-column.ts";
import { RowAction, RowActions } from "../../ui/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-store.ts";

interface KeyActs {
  onDetails: (key: AdminKey) => void;
  onRevoke: (key: AdminKey) => void;
}

export const idOf = ({ id }: AdminKey) => id;

/** A sortable column's id is what the server sorts by; the widths stand, so that no column moves when rows come. */
export function columnsWith(acts: KeyActs): DataColumn<AdminKey>[] {
  return [
    { id: "key", header: "License Key", sortable: true, cell: ({ keyString }) => <KeyText keyString={keyString} /> },
    { id: "game", header: "Game", width: "14%", wraps: true, card: "subtitle", cell: ({ game }) => game },
    {
      id: "created",
      header: "Created",
      width: "11%",
      sortable: true,
      descendingFirst: true,
      cell: ({ createdAt }) => <Time value={createdAt} format="dateInWords" />,
    },
    { id: "expiry", header: "Expires", width: "11%", sortable: true, cell: (key) => <Expiry of={key} /> },
    {
      id: "devices",
      header: "Devices",
      width: "12%",
      sortable: true,
      descendingFirst: true,
      cell: ({ deviceCount, deviceLimit }) => (
        <span className="figures">{deviceUsageText(deviceCount, deviceLimit)}</span>
      ),
    },
    {
      id: "status",
      header: "Status",
      width: "10%",
      card: "corner",
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: "16%",
      align: "right",
      card: "actions",
      cell: (key) => <KeyActions of={key} {...acts} />,
    },
  ];
}

function KeyText({ keyString }: { keyString: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="key-text truncate md:max-w-60" title={keyString}>
        {keyString}
      </span>
      <CopyButton
        iconOnly
        variant="ghost"
        label="Copy key"
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
      <RowAction label="Details" icon={<Eye aria-hidden size={16} />} onClick={() => onDetails(key)} />
      {!key.isRevoked && (
        <RowAction
          label="Revoke"
          variant="danger-quiet"
          icon={<Ban aria-hidden size={16} />}
          onClick={() => onRevoke(key)}
        />
      )}
    </RowActions>
  );
}
