import { Ban, Eye } from "lucide-react";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { keyText } from "../../format.ts";
import { fetchedAhead } from "../../runtime/preload.ts";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActionPlace, RowActions, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import {
  createdColumn,
  devicesColumn,
  expiryColumn,
  gameColumn,
  keyColumn,
  statusColumn,
} from "../keys/list/columns.tsx";
import { KeyText } from "../keys/list/key-text.tsx";
import { importKeyDetails, importRevocation } from "./dialogs.ts";

interface KeyActs {
  onView: (key: ResellerKey) => void;
  onRevoke: (key: ResellerKey) => void;
}

const dateWidth = columnWidth(5.2, 6.8);
const viewAction = { label: "View", icon: <Eye aria-hidden size={16} /> };
const revokeAction = { label: "Revoke", icon: <Ban aria-hidden size={16} /> };

export function columnsWith(acts: KeyActs): DataColumn<ResellerKey>[] {
  return [
    { ...keyColumn, header: "Key", cell: ({ keyString, note }) => <CutKey keyString={keyString} note={note} /> },
    gameColumn,
    { ...createdColumn, width: dateWidth },
    { ...expiryColumn, header: "Expiry", width: dateWidth },
    devicesColumn,
    statusColumn,
    {
      id: "actions",
      header: "Actions",
      width: columnWidth(5.5, 12.6, 0.4),
      align: "right",
      card: "actions",
      skeleton: <RowActionsSkeleton actions={[viewAction, revokeAction]} />,
      cell: (key) => <KeyActions of={key} {...acts} />,
    },
  ];
}

/** Cut to the eye (rules.md: Shown keys); whole for whoever hears it, points at it or copies it. */
function CutKey({ keyString, note }: Pick<ResellerKey, "keyString" | "note">) {
  return (
    <KeyText keyString={keyString} note={note}>
      <span aria-hidden>{keyText(keyString)}</span>
      <span className="sr-only">{keyString}</span>
    </KeyText>
  );
}

/** A reseller may revoke ACTIVE keys only (rules.md: Revoking). */
function KeyActions({ of: key, onView, onRevoke }: KeyActs & { of: ResellerKey }) {
  return (
    <RowActions>
      <RowAction {...viewAction} {...fetchedAhead(importKeyDetails)} onClick={() => onView(key)} />
      {key.status === "ACTIVE" ? (
        <RowAction {...revokeAction} {...fetchedAhead(importRevocation)} danger onClick={() => onRevoke(key)} />
      ) : (
        <RowActionPlace {...revokeAction} />
      )}
    </RowActions>
  );
}
