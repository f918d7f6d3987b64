import { clsx } from "clsx";
import { ChevronRight, Undo2 } from "lucide-react";
import type { Role } from "../../../src/accounts/schema.ts";
import type { LedgerEntry, LedgerReason } from "../../../src/resellers/ledger-schema.ts";
import { countText, creditsText } from "../../format.ts";
import { TextLink } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Name } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction } from "../../ui/table/row-action.tsx";
import { Instant } from "../../ui/time.tsx";

/** A row of the list: an entry, or all equal entries of one act, such as the extension of ten keys. */
export interface LedgerLine extends LedgerEntry {
  /** Of a line for several entries. */
  count?: number;
  /** An entry below the opened line of its act. */
  isPart?: boolean;
}

interface LedgerActions {
  /** The ids of the open lines. */
  opened: readonly number[];
  setOpened: (ids: readonly number[]) => void;
  /** Takes back what is left of a grant. */
  onTakeBack?: (grant: LedgerEntry) => void;
}

/** `area` has the pages of the orders. */
export function ledgerColumns(area: Role, { opened, setOpened, onTakeBack }: LedgerActions): DataColumn<LedgerLine>[] {
  const columns: DataColumn<LedgerLine>[] = [
    {
      id: "reason",
      header: "Type",
      skeleton: <Skeleton className="w-28" />,
      cell: (line) =>
        line.count === undefined ? (
          <What {...line} area={area} />
        ) : (
          <Act {...line} opened={opened} setOpened={setOpened} />
        ),
      note: ({ note }) => note,
    },
    {
      id: "by",
      header: "By",
      width: columnWidth(6, 11),
      dot: true,
      cell: ({ by }) => (
        <span className="text-muted">
          <Name of={by} />
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
      cell: ({ at }) => <Instant ago value={at} />,
    },
  ];
  if (!onTakeBack) return columns;
  const actions = actionsColumn<LedgerLine>(
    columnWidth(4.2, 9),
    [takeBackAction],
    (entry) =>
      entry.left !== null &&
      entry.left > 0 && <RowAction {...takeBackAction} danger onClick={() => onTakeBack(entry)} />,
  );
  return [...columns, actions];
}

const takeBackAction = { label: "Take Back", icon: <Undo2 size={16} /> };

/** One line for several entries, which a press shows below it. */
function Act({ id, reason, count = 0, opened, setOpened }: LedgerLine & LedgerActions) {
  const isOpen = opened.includes(id);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setOpened(isOpen ? opened.filter((each) => each !== id) : [...opened, id])}
      className="group/act touch -ml-1 flex min-h-8 items-center gap-1 rounded-sm pr-1.5 text-left font-medium whitespace-normal hover:text-brass-bright"
    >
      <ChevronRight size={16} className="shrink-0 text-muted group-aria-expanded/act:rotate-90" />
      {`${countText(count)} ${actNames[reason]}`}
    </button>
  );
}

function What({ reason, orderId, keyId, isPart, area }: LedgerLine & { area: Role }) {
  return (
    <span className={clsx("flex flex-wrap gap-x-2 md:block", isPart && "pl-4")}>
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

/** Of several keys at once, after their number. */
const actNames: Record<LedgerReason, string> = {
  ...reasonNames,
  key_extension: "keys extended",
  device_limit_change: "device limits raised",
  key_refund: "keys refunded",
};
