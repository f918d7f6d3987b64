import { Ban } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { deviceUsageText } from "../../format.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { DataColumn } from "../../ui/data-column.ts";
import { RowAction, RowActions } from "../../ui/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-store.ts";

/** Section 2. A sortable column's id is what the server sorts by; the widths stand, so that no column moves when rows come. */
export function columnsWith(onRevoke: (key: AdminKey) => void): DataColumn<AdminKey>[] {
  return [
    { id: "key", header: "License Key", sortable: true, cell: (key) => <KeyText keyString={key.keyString} /> },
    { id: "game", header: "Game", width: "17%", wraps: true, card: "subtitle", cell: ({ game }) => game },
    {
      id: "created",
      header: "Created",
      width: "10%",
      sortable: true,
      descendingFirst: true,
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      id: "expiry",
      header: "Expires",
      width: "10%",
      sortable: true,
      cell: ({ expiryDate }) => <Time value={expiryDate} />,
    },
    {
      id: "devices",
      header: "Devices",
      width: "11%",
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
      width: "12%",
      align: "right",
      card: "actions",
      cell: (key) => <KeyActions revocable={key} onRevoke={onRevoke} />,
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

/** Section 4: whoever is REVOKED stays so, and has no button; what has merely expired can still be revoked by an admin. */
function KeyActions({ revocable, onRevoke }: { revocable: AdminKey; onRevoke: (key: AdminKey) => void }) {
  if (revocable.isRevoked) return null;
  return (
    <RowActions>
      <RowAction
        label="Revoke"
        variant="danger-quiet"
        icon={<Ban aria-hidden size={16} />}
        onClick={() => onRevoke(revocable)}
      />
    </RowActions>
  );
}
