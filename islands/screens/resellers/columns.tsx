import { Ban, CircleCheck, CirclePlus, KeyRound } from "lucide-react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { countText, creditsText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowAction, RowActions, RowActionsSkeleton, RowLink } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { useStatusChange } from "./changes.ts";

interface Acts {
  onAddCredit: (reseller: Reseller) => void;
  onSuspend: (reseller: Reseller) => void;
}

const keysAction = { label: "Keys", icon: <KeyRound aria-hidden size={16} /> };
const creditAction = { label: "Add Credit", icon: <CirclePlus aria-hidden size={16} /> };
const suspendAction = { label: "Suspend", otherLabel: "Activate", icon: <Ban aria-hidden size={16} /> };
const activateAction = { label: "Activate", otherLabel: "Suspend", icon: <CircleCheck aria-hidden size={16} /> };

/** The columns (rules.md: Manage Resellers page). A sortable one's id is what the server sorts by; the widths stand, so that none moves. */
export function columnsWith(acts: Acts): DataColumn<Reseller>[] {
  return [
    {
      id: "username",
      header: "Username",
      skeleton: <Skeleton className="w-32" />,
      sortable: true,
      cell: ({ username }) => (
        // As wide as the column is, and never the other way round: a long name would move what stands beside it.
        <span
          title={username}
          className="block font-medium max-md:whitespace-normal max-md:wrap-anywhere md:w-0 md:min-w-full md:truncate"
        >
          {username}
        </span>
      ),
    },
    {
      id: "registered",
      header: "Registration Date",
      cardLabel: "Registered",
      width: columnWidth(6.2, 8.8),
      sortable: true,
      descendingFirst: true,
      cell: ({ registrationDate }) => <Time value={registrationDate} />,
    },
    {
      id: "credits",
      header: "Credit Balance",
      cardLabel: "Credits",
      width: columnWidth(5, 7.8),
      align: "right",
      sortable: true,
      descendingFirst: true,
      cell: ({ credits }) => creditsText(credits),
    },
    {
      id: "keys",
      header: "Total Keys",
      width: columnWidth(3.75, 6.3),
      align: "right",
      sortable: true,
      descendingFirst: true,
      cell: ({ totalKeys }) => countText(totalKeys),
    },
    {
      id: "status",
      header: "Status",
      width: columnWidth(6.2, 7.1),
      card: "corner",
      cell: ({ isActive }) => <StatusBadge isActive={isActive} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: columnWidth(8.1, 20.9),
      align: "right",
      card: "actions",
      skeleton: <RowActionsSkeleton actions={[keysAction, creditAction, suspendAction]} />,
      cell: (reseller) => <ResellerActions reseller={reseller} {...acts} />,
    },
  ];
}

function StatusBadge({ isActive }: { isActive: boolean }) {
  return (
    <Badge tone={isActive ? "active" : "expired"} dot>
      {isActive ? "Active" : "Suspended"}
    </Badge>
  );
}

function ResellerActions({ reseller, onAddCredit, onSuspend }: Acts & { reseller: Reseller }) {
  return (
    <RowActions>
      <RowLink {...keysAction} href={`/admin/resellers/${reseller.id}/keys`} />
      <RowAction {...creditAction} onClick={() => onAddCredit(reseller)} />
      <StatusAction reseller={reseller} onSuspend={onSuspend} />
    </RowActions>
  );
}

/**
 * One button for both ways, so that it keeps the focus when the status changes under it. Only suspending takes something away, and asks;
 * the second press of a double click on Activate lands on Suspend, and means nothing there.
 */
function StatusAction({ reseller, onSuspend }: Pick<Acts, "onSuspend"> & { reseller: Reseller }) {
  const { mutate: activate, isPending, isHeld } = useStatusChange();
  if (reseller.isActive) {
    return <RowAction {...suspendAction} danger onClick={() => isHeld() || onSuspend(reseller)} />;
  }
  return <RowAction {...activateAction} busy={isPending} onClick={() => activate(reseller)} />;
}
