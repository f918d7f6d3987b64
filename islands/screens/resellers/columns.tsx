import { Ban, CircleCheck, CirclePlus, KeyRound, LogOut, RectangleEllipsis } from "lucide-react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextLink } from "../../ui/button.tsx";
import { MenuButton } from "../../ui/menu-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Amount, Count, OnCard } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction, RowLink } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { useStatusChange } from "./changes.ts";
import type { ResellerDialogProps } from "./dialogs.tsx";

type Open = (action: ResellerDialogProps["action"], reseller: Reseller) => void;

const keysAction = { label: "Keys", icon: <KeyRound size={16} /> };
const need = "resellers:manage";
const creditAction = { label: "Add Credit", icon: <CirclePlus size={16} />, need } as const;
const suspendAction = { label: "Suspend", otherLabel: "Activate", icon: <Ban size={16} />, need } as const;
const activateAction = { label: "Activate", otherLabel: "Suspend", icon: <CircleCheck size={16} />, need } as const;
const forFull = { need: "everything" } as const;
const passwordAction = { label: "Reset Password", icon: <RectangleEllipsis size={16} />, ...forFull };
const sessionsAction = { label: "End Sessions", icon: <LogOut size={16} />, ...forFull };

/** A sortable column's id is what the server sorts by. The widths are fixed, so that no column moves. */
export function columnsWith(open: Open): DataColumn<Reseller>[] {
  return [
    {
      id: "username",
      header: "Username",
      skeleton: <Skeleton className="w-32" />,
      sortable: true,
      cell: ({ id, username, suspensionReason }) => (
        <TextLink href={`/admin/resellers/${id}`} className="row-link block w-fit max-w-full font-medium">
          <span
            translate="no"
            title={username}
            className={`whitespace-normal wrap-anywhere ${suspensionReason === null ? "line-clamp-2 md:line-clamp-1" : "line-clamp-1"}`}
          >
            {username}
          </span>
        </TextLink>
      ),
      note: ({ suspensionReason }) => suspensionReason,
      noteLines: "brief",
    },
    {
      id: "registered",
      header: "Registration Date",
      width: columnWidth(5.2, 8.8),
      sortable: true,
      descendingFirst: true,
      dot: true,
      cell: ({ registrationDate }) => (
        <>
          <OnCard>Since </OnCard>
          <Time value={registrationDate} />
        </>
      ),
    },
    {
      id: "credits",
      header: "Credit Balance",
      width: columnWidth(4.9, 7.8),
      align: "right",
      sortable: true,
      descendingFirst: true,
      card: "corner",
      cell: ({ credits }) => <Amount credits={credits} />,
    },
    {
      id: "keys",
      header: "Total Keys",
      width: columnWidth(3.7, 6.3),
      align: "right",
      sortable: true,
      descendingFirst: true,
      cell: ({ totalKeys }) => <Count of={totalKeys} unit="key" />,
    },
    {
      id: "status",
      header: "Status",
      width: columnWidth(6.2, 7.1),
      card: "side",
      cell: ({ isActive }) => (
        <Badge tone={isActive ? "active" : "expired"} dot>
          {isActive ? "Active" : "Suspended"}
        </Badge>
      ),
    },
    actionsColumn(
      columnWidth(9.8, 21.85, 1.8),
      [creditAction, keysAction, suspendAction],
      (reseller) => <ResellerActions reseller={reseller} open={open} />,
      { withMenu: true },
    ),
  ];
}

/** The page has the same action for any reseller, so the row's waits for the pointer or the focus. */
const creditLook =
  "md:opacity-0 group-hover/row:opacity-100 group-has-focus-visible/row:opacity-100 pointer-coarse:opacity-100";

interface ActionProps {
  reseller: Reseller;
  open: Open;
}

function ResellerActions({ reseller, open }: ActionProps) {
  return (
    <>
      <RowAction {...creditAction} className={creditLook} onClick={() => open("credit", reseller)} />
      <RowLink {...keysAction} href={`/admin/resellers/${reseller.id}/keys`} />
      <StatusAction reseller={reseller} open={open} />
      <MenuButton
        variant="row"
        className="md:w-6.5!"
        about={reseller.username}
        items={[
          { ...passwordAction, onSelect: () => open("password", reseller) },
          { ...sessionsAction, onSelect: () => open("sessions", reseller) },
        ]}
      />
    </>
  );
}

/**
 * One button for both, so that it keeps the focus when the status changes. Only suspending asks first. The second press
 * of a double click on Activate would land on Suspend, and is ignored.
 */
function StatusAction({ reseller, open }: ActionProps) {
  const { mutate: activate, isPending, isHeld } = useStatusChange();
  if (reseller.isActive) {
    return <RowAction {...suspendAction} danger onClick={() => isHeld() || open("suspension", reseller)} />;
  }
  return <RowAction {...activateAction} busy={isPending} onClick={() => activate(reseller)} />;
}
