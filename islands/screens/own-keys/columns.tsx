import { Ban, Eye } from "lucide-react";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { deviceUsageText, keyText } from "../../format.ts";
import { keyLook } from "../../key-list/key-look.ts";
import { StatusBadge } from "../../key-list/status-badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActions } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";
import { fetchedAhead, importKeyDetails, importRevocation } from "./dialogs.ts";

interface KeyActions {
  view: (key: ResellerKey) => void;
  revoke: (key: ResellerKey) => void;
}

export function keyColumns({ view, revoke }: KeyActions): DataColumn<ResellerKey>[] {
  return [
    {
      id: "key",
      header: "Key",
      sortable: true,
      cell: ({ keyString }) => <KeyCell keyString={keyString} />,
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
      width: columnWidth(4.8, 6.5),
      sortable: true,
      descendingFirst: true,
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      id: "expiry",
      header: "Expiry",
      width: columnWidth(4.8, 6.5),
      sortable: true,
      cell: ({ expiryDate }) => <Time value={expiryDate} />,
    },
    {
      id: "devices",
      header: "Devices",
      width: columnWidth(6.2, 8),
      sortable: true,
      descendingFirst: true,
      cell: ({ devices, deviceLimit }) => <span className="figures">{deviceUsageText(devices, deviceLimit)}</span>,
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
      width: columnWidth(5.5, 12.6),
      align: "right",
      card: "actions",
      cell: (key) => (
        <RowActions>
          <RowAction
            {...fetchedAhead(importKeyDetails)}
            label="View"
            icon={<Eye aria-hidden size={16} />}
            onClick={() => view(key)}
          />
          {key.status === "ACTIVE" && (
            <RowAction
              {...fetchedAhead(importRevocation)}
              label="Revoke"
              variant="danger-quiet"
              icon={<Ban aria-hidden size={16} />}
              onClick={() => revoke(key)}
            />
          )}
        </RowActions>
      ),
    },
  ];
}

/** Cut to the eye (section 9); whole for whoever hears it, points at it or copies it. */
function KeyCell({ keyString }: { keyString: string }) {
  return (
    <span className="flex min-w-0 items-center">
      <span className={keyLook} title={keyString}>
        <span aria-hidden>{keyText(keyString)}</span>
        <span className="sr-only">{keyString}</span>
      </span>
      <CopyButton
        iconOnly
        label="Copy key"
        className="-mr-1.5"
        variant="ghost"
        text={keyString}
        onCopied={() => showToast({ title: "Copied", description: "License key copied to clipboard" })}
      />
    </span>
  );
}
