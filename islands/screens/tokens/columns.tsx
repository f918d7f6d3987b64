import { Ban, QrCode } from "lucide-react";
import type { Token } from "../../../src/tokens/schema.ts";
import { creditsText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { namedLook, RowAction, RowActions } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";
import type { TokenDialogProps } from "./dialogs.tsx";

type Open = (action: TokenDialogProps["action"], token: Token) => void;

const inviteAction = { label: "Invite", icon: <QrCode size={16} /> };
const revokeAction = { label: "Revoke", icon: <Ban size={16} /> };

/** The widths are fixed, so that no column moves when the rows arrive. */
export function columnsWith(open: Open): DataColumn<Token>[] {
  return [
    {
      id: "token",
      header: "Token",
      skeleton: <Skeleton className="w-28" />,
      cell: TokenText,
    },
    {
      id: "created",
      header: "Created Date",
      cardLabel: "Created",
      width: columnWidth(5.3, 8),
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      id: "usedBy",
      header: "Used By",
      width: columnWidth(5.5, 9),
      cell: ({ usedBy }) => <UsedBy username={usedBy} />,
    },
    {
      id: "credits",
      header: "Credits",
      width: columnWidth(4, 6),
      align: "right",
      skeleton: <Skeleton className="w-10" />,
      cell: ({ credits }) => creditsText(credits),
    },
    {
      id: "status",
      header: "Status",
      width: columnWidth(5.8, 8),
      skeleton: <Skeleton className="w-20" />,
      card: "corner",
      cell: ({ isUsed }) => <StatusBadge isUsed={isUsed} />,
    },
    {
      id: "action",
      header: "Action",
      width: columnWidth(9.2, 19),
      skeleton: <ActionsSkeleton />,
      align: "right",
      card: "actions",
      cell: (token) => !token.isUsed && <TokenActions token={token} open={open} />,
    },
  ];
}

function TokenText({ token, label }: Token) {
  return (
    <span className="block md:w-0 md:min-w-full">
      <span
        translate="no"
        className="key-text block max-md:whitespace-normal max-md:wrap-anywhere md:truncate list-small:whitespace-normal list-small:wrap-anywhere list-small:text-xs"
        title={token}
      >
        {token}
      </span>
      {label !== null && (
        <span className="block text-xs font-normal whitespace-normal text-muted wrap-anywhere">{label}</span>
      )}
    </span>
  );
}

function UsedBy({ username }: { username: string | null }) {
  if (username === null) return <span className="text-faint">–</span>;
  return (
    <span
      className="block max-md:whitespace-normal max-md:wrap-anywhere md:w-0 md:min-w-full md:truncate list-narrow:whitespace-normal list-narrow:wrap-anywhere"
      title={username}
    >
      {username}
    </span>
  );
}

function StatusBadge({ isUsed }: { isUsed: boolean }) {
  return (
    <Badge tone={isUsed ? "revoked" : "active"} dot>
      {isUsed ? "Used" : "Available"}
    </Badge>
  );
}

/** Keeps the space of the buttons until the row is loaded. */
function ActionsSkeleton() {
  return (
    <span aria-hidden className="invisible block">
      <RowActions>
        <CopyButton label="Copy" variant="row" className={namedLook} text="" />
        <RowAction {...inviteAction} disabled />
        <RowAction {...revokeAction} disabled />
      </RowActions>
    </span>
  );
}

/** A used token cannot register another account, so it has no actions. */
function TokenActions({ token, open }: { token: Token; open: Open }) {
  return (
    <RowActions>
      <CopyButton
        label="Copy"
        variant="row"
        className={namedLook}
        text={token.token}
        onCopied={() => showToast({ title: "Copied", description: "Token copied to clipboard", brief: true })}
      />
      <RowAction {...inviteAction} onClick={() => open("invitation", token)} />
      <RowAction {...revokeAction} danger onClick={() => open("revocation", token)} />
    </RowActions>
  );
}
