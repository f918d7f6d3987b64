import { Ban, CircleCheck, CirclePlus, KeyRound } from "lucide-react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { countText, creditsText } from "../../format.ts";
import { ResellerBadge } from "../../ui/badge.tsx";
import type { DataColumn } from "../../ui/data-column.ts";
import { RowAction, RowActions, RowLink } from "../../ui/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { useStatusChange } from "./resellers-api.ts";

interface Acts {
  onAddCredit: (reseller: Reseller) => void;
  onSuspend: (reseller: Reseller) => void;
}

/** Section 2. A sortable column's id is what the server sorts by; the widths stand, so that no column moves when rows come. */
export function columnsWith(acts: Acts): DataColumn<Reseller>[] {
  return [
    {
      id: "username",
      header: "Username",
      sortable: true,
      cell: ({ username }) => <span className="block truncate font-medium md:max-w-56">{username}</span>,
    },
    {
      id: "registered",
      header: "Registration Date",
      cardLabel: "Registered",
      width: "16%",
      sortable: true,
      descendingFirst: true,
      cell: ({ registrationDate }) => <Time value={registrationDate} />,
    },
    {
      id: "credits",
      header: "Credit Balance",
      cardLabel: "Credits",
      width: "13%",
      align: "right",
      sortable: true,
      descendingFirst: true,
      cell: ({ credits }) => creditsText(credits),
    },
    {
      id: "keys",
      header: "Total Keys",
      width: "11%",
      align: "right",
      sortable: true,
      descendingFirst: true,
      cell: ({ totalKeys }) => countText(totalKeys),
    },
    {
      id: "status",
      header: "Status",
      width: "11%",
      card: "corner",
      cell: ({ isActive }) => <ResellerBadge isActive={isActive} />,
    },
    {
      id: "actions",
      header: "Actions",
      width: "30%",
      align: "right",
      card: "actions",
      cell: (reseller) => <ResellerActions reseller={reseller} {...acts} />,
    },
  ];
}

function ResellerActions({ reseller, onAddCredit, onSuspend }: Acts & { reseller: Reseller }) {
  return (
    <RowActions>
      <RowLink href={`/admin/resellers/${reseller.id}/keys`} label="Keys" icon={<KeyRound aria-hidden size={16} />} />
      <RowAction label="Add Credit" icon={<CirclePlus aria-hidden size={16} />} onClick={() => onAddCredit(reseller)} />
      <StatusAction reseller={reseller} onSuspend={onSuspend} />
    </RowActions>
  );
}

/** One button for both ways, so that it keeps the focus when the status changes under it. Only suspending takes something away, and asks. */
function StatusAction({ reseller, onSuspend }: Pick<Acts, "onSuspend"> & { reseller: Reseller }) {
  const { mutate: activate, isPending } = useStatusChange();
  const { isActive } = reseller;
  return (
    <RowAction
      label={isActive ? "Suspend" : "Activate"}
      variant={isActive ? "danger-quiet" : "secondary"}
      icon={isActive ? <Ban aria-hidden size={16} /> : <CircleCheck aria-hidden size={16} />}
      busy={isPending}
      onClick={() => (isActive ? onSuspend(reseller) : activate(reseller))}
    />
  );
}
