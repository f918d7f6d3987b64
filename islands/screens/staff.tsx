import { Pencil, Power, RectangleEllipsis, Trash2, Users } from "lucide-react";
import { useMemo } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import type { StaffAccount } from "../../src/accounts/staff/staff-schema.ts";
import { staffCalls } from "../api/calls/account.ts";
import { refresh, useWork } from "../api/query.ts";
import { lastColumn, ShortList, stateColumn } from "../api/short-list.tsx";
import { creditsWithUnit } from "../format.ts";
import { scopeText } from "../forms/scope-fields.tsx";
import { usePreload } from "../runtime/preload.ts";
import { lazyDialog, useDialog } from "../ui/dialog/lazy-dialog.tsx";
import { loadMenu, MenuButton } from "../ui/menu-button.tsx";
import { columnWidth, type DataColumn } from "../ui/table/column.ts";
import { actionsColumn, RowAction } from "../ui/table/row-action.tsx";
import type { StaffDialogProps } from "./staff/dialogs.tsx";

const StaffDialog = lazyDialog(() => import("./staff/dialogs.tsx"));
const loadParts = () => Promise.all([StaffDialog.load(), loadMenu()]);

/** /admin/staff and /reseller/staff: the accounts of helpers (rules.md: Staff). */
export default function Staff({ area, username }: { area: Role; username: string }) {
  const { dialog, show } = useDialog<Pick<StaffDialogProps, "action" | "account">>();
  const columns = useMemo(() => columnsWith(area, (action, account) => show({ action, account })), [area, show]);
  usePreload(loadParts);
  return (
    <>
      <ShortList
        area={area}
        title="Staff"
        description="Helpers sign in with accounts of their own, and do only what you allow."
        query={staffCalls(area).query}
        columns={columns}
        rows="staff accounts"
        empty={{
          icon: <Users size={20} />,
          title: "No staff yet",
          hint: "Give helpers their own accounts instead of your password. Orders and the audit log then name who did what.",
        }}
        add="New Account"
        onAdd={() => show({ action: "rights", account: null })}
      />
      {dialog && <StaffDialog key={dialog.nth} {...dialog} area={area} username={username} />}
    </>
  );
}

type Open = (action: StaffDialogProps["action"], account: StaffAccount) => void;

const changeAction = { label: "Change", icon: <Pencil size={16} /> };

function columnsWith(area: Role, open: Open): DataColumn<StaffAccount>[] {
  return [
    {
      id: "username",
      header: "Username",
      cell: ({ username }) => (
        <span translate="no" className="font-medium whitespace-normal wrap-anywhere">
          {username}
        </span>
      ),
      note: ({ rights, creditsPerDay }) => {
        const limit = creditsPerDay === null ? [] : [`At most ${creditsWithUnit(creditsPerDay)} a day`];
        return [...rights.map((right) => scopeText(right, area)), ...limit].join(" · ");
      },
      noteLines: "all",
    },
    lastColumn({ header: "Last Seen" }, "Seen", ({ lastSeenAt }) => lastSeenAt, "Signed out"),
    stateColumn,
    actionsColumn(
      columnWidth(6, 10),
      [changeAction],
      (account) => <Actions area={area} account={account} open={open} />,
      { withMenu: true },
    ),
  ];
}

/** Only switching off needs no password. */
function Actions({ area, account, open }: { area: Role; account: StaffAccount; open: Open }) {
  const { id, username, isActive } = account;
  const { query, change } = staffCalls(area);
  const { mutate: switchOff } = useWork({
    mutationFn: () => change(id, { isActive: false }),
    done: `${username} is switched off`,
    failed: `Failed to switch off ${username}`,
    onSettled: () => refresh(query),
  });
  const power = isActive
    ? { label: "Switch Off", onSelect: () => switchOff() }
    : { label: "Switch On", onSelect: () => open("on", account) };
  const items = [
    { ...power, icon: <Power size={16} /> },
    { label: "Reset Password", icon: <RectangleEllipsis size={16} />, onSelect: () => open("password", account) },
    { label: "Remove", icon: <Trash2 size={16} />, danger: true, onSelect: () => open("removal", account) },
  ];
  return (
    <>
      <RowAction {...changeAction} onClick={() => open("rights", account)} />
      <MenuButton variant="row" className="md:w-6.5!" about={username} items={items} />
    </>
  );
}
