import { Ban } from "lucide-react";
import type { AdminKey } from "../../../src/keys/schema.ts";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActions, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import {
  createdColumn,
  devicesColumn,
  expiryColumn,
  gameColumn,
  keyColumn,
  statusColumn,
} from "../keys/list/columns.tsx";

const revokeAction = { label: "Revoke", icon: <Ban aria-hidden size={16} /> };

export function columnsWith(onRevoke: (key: AdminKey) => void): DataColumn<AdminKey>[] {
  return [
    keyColumn,
    gameColumn,
    createdColumn,
    expiryColumn,
    devicesColumn,
    statusColumn,
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

/** A key that is REVOKED stays so, and has no button; one that has merely expired can still be revoked by an admin (rules.md: Revoking). */
function KeyActions({ revocable, onRevoke }: { revocable: AdminKey; onRevoke: (key: AdminKey) => void }) {
  if (revocable.isRevoked) return null;
  return (
    <RowActions>
      <RowAction {...revokeAction} danger onClick={() => onRevoke(revocable)} />
    </RowActions>
  );
}
