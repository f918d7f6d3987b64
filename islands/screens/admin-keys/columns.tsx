import { Ban, Eye } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { daysLeftText } from "../../format.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActionPlace, RowActions, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import {
  createdColumn,
  devicesColumn,
  expiryColumn,
  gameColumn,
  keyColumn,
  statusColumn,
} from "../keys/list/columns.tsx";

interface KeyActs {
  onDetails: (key: AdminKey) => void;
  onRevoke: (key: AdminKey) => void;
}

export const idOf = ({ id }: AdminKey) => id;

/** Dates are in words here (rules.md: Dates), and longer. */
const dates = { width: columnWidth(5.5, 7.15), skeleton: <Skeleton className="w-[5.3rem]" /> };
const detailsAction = { label: "Details", icon: <Eye aria-hidden size={16} /> };
const revokeAction = { label: "Revoke", icon: <Ban aria-hidden size={16} /> };

export function columnsWith(acts: KeyActs): DataColumn<AdminKey>[] {
  return [
    keyColumn,
    gameColumn,
    { ...createdColumn, ...dates, cell: ({ createdAt }) => <Time value={createdAt} format="dateInWords" /> },
    { ...expiryColumn, ...dates, cell: (key) => <Expiry of={key} /> },
    devicesColumn,
    statusColumn,
    {
      id: "actions",
      header: "Actions",
      width: columnWidth(5.5, 13.65, 0.8),
      align: "right",
      card: "actions",
      skeleton: <RowActionsSkeleton actions={[detailsAction, revokeAction]} />,
      cell: (key) => <KeyActions of={key} {...acts} />,
    },
  ];
}

/** A table's rows have room for how soon that is, a phone's cards do not. */
function Expiry({ of: { expiryDate, status } }: { of: AdminKey }) {
  return (
    <>
      <Time value={expiryDate} format="dateInWords" />
      {status === "ACTIVE" && (
        <span className="figures block text-xs text-muted max-md:hidden">{daysLeftText(expiryDate)}</span>
      )}
    </>
  );
}

/** A key that is REVOKED stays so, and has no button; one that has merely expired can still be revoked by an admin (rules.md: Revoking). */
function KeyActions({ of: key, onDetails, onRevoke }: KeyActs & { of: AdminKey }) {
  return (
    <RowActions>
      <RowAction {...detailsAction} onClick={() => onDetails(key)} />
      {key.isRevoked ? (
        <RowActionPlace {...revokeAction} />
      ) : (
        <RowAction {...revokeAction} danger onClick={() => onRevoke(key)} />
      )}
    </RowActions>
  );
}
