import { Undo2 } from "lucide-react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { LedgerEntry, LedgerReason } from "../../../src/resellers/ledger-schema.ts";
import { creditsText } from "../../format.ts";
import { TextLink } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Dot, Name } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction, RowActionsSkeleton } from "../../ui/table/row-action.tsx";
import { Instant } from "../../ui/time.tsx";

/** `area` has the pages of the orders. `onTakeBack` takes back what is left of a grant. */
export function ledgerColumns(area: Role, onTakeBack?: (grant: LedgerEntry) => void): DataColumn<LedgerEntry>[] {
  const columns: DataColumn<LedgerEntry>[] = [
    {
      id: "reason",
      header: "Type",
      skeleton: <Skeleton className="w-28" />,
      cell: (entry) => <What {...entry} area={area} />,
      note: ({ note }) => note,
    },
    {
      id: "by",
      header: "By",
      width: columnWidth(6, 11),
      cell: ({ by }) => (
        <span className="text-muted">
          <Name of={by} />
          <Dot />
        </span>
      ),
    },
    {
      id: "amount",
      header: "Amount",
      width: columnWidth(5, 7.5),
      align: "right",
      card: "corner",
      cell: ({ amount }) => <span className="font-medium max-md:font-semibold">{signed(amount)}</span>,
    },
    {
      id: "balance",
      header: "Balance",
      width: columnWidth(5.2, 8),
      align: "right",
      card: "side",
      cell: ({ balance }) => creditsText(balance),
    },
    {
      id: "at",
      header: "When",
      width: columnWidth(8.9, 10.8),
      cell: ({ at }) => <Instant value={at} />,
    },
  ];
  if (!onTakeBack) return columns;
  const actions = actionsColumn<LedgerEntry>(
    columnWidth(4.2, 9),
    <RowActionsSkeleton actions={[takeBackAction]} />,
    (entry) =>
      entry.left !== null &&
      entry.left > 0 && <RowAction {...takeBackAction} danger onClick={() => onTakeBack(entry)} />,
  );
  return [...columns, actions];
}

const takeBackAction = { label: "Take Back", icon: <Undo2 size={16} /> };

function What({ reason, orderId, keyId, area }: LedgerEntry & { area: Role }) {
  return (
    <span className="flex flex-wrap gap-x-2 md:block">
      <span className="block font-medium">{reasonNames[reason]}</span>
      {(orderId ?? keyId) !== null && (
        <span className="block text-xs/5 font-normal text-muted md:leading-4">
          {keyId !== null && <TextLink href={`/${area}/keys/${keyId}`}>View key</TextLink>}
          {keyId !== null && orderId !== null && <span> · </span>}
          {orderId !== null && <TextLink href={`/${area}/orders/${orderId}`}>Order {orderId}</TextLink>}
        </span>
      )}
    </span>
  );
}

/** +50 and −30, with a true minus. */
function signed(amount: number): string {
  return amount < 0 ? `−${creditsText(-amount)}` : `+${creditsText(amount)}`;
}

export const reasonNames: Record<LedgerReason, string> = {
  key_purchase: "Keys generated",
  admin_grant: "Credits added",
  token_bonus: "Token bonus",
  grant_taken_back: "Credits taken back",
  key_extension: "Key extended",
  device_limit_change: "Device limit raised",
  key_refund: "Key refunded",
};
