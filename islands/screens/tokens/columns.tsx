import { Ban, QrCode } from "lucide-react";
import type { Token } from "../../../src/tokens/schema.ts";
import { Badge } from "../../ui/badge.tsx";
import { TextLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Amount, Name } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, labelledLook, RowAction } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";
import type { TokenDialogProps } from "./dialogs.tsx";

type Open = (action: TokenDialogProps["action"], token: Token) => void;

const copyAction = { label: "Copy", icon: null };
const inviteAction = { label: "Invite", icon: <QrCode size={16} /> };
const revokeAction = { label: "Revoke", icon: <Ban size={16} /> };

/** The widths are fixed, so that no column moves when the rows arrive. */
export function columnsWith(open: Open): DataColumn<Token>[] {
  return [
    {
      id: "token",
      header: "Token",
      skeleton: <Skeleton className="w-28" />,
      cell: ({ token }) => <TokenText token={token} />,
      note: ({ label }) => label,
    },
    {
      id: "created",
      header: "Created Date",
      width: columnWidth(5.3, 8),
      dot: ({ usedBy }) => usedBy !== null,
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      id: "usedBy",
      header: "Used By",
      width: columnWidth(5.5, 9),
      cell: ({ usedBy }) =>
        usedBy === null ? (
          <span className="max-md:hidden">–</span>
        ) : (
          <TextLink href={`/admin/resellers?${new URLSearchParams({ search: usedBy })}`}>
            <Name of={usedBy} />
          </TextLink>
        ),
    },
    {
      id: "credits",
      header: "Credits",
      width: columnWidth(4, 6),
      align: "right",
      skeleton: <Skeleton className="w-10" />,
      card: "corner",
      cell: ({ credits }) => <Amount credits={credits} />,
    },
    {
      id: "status",
      header: "Status",
      width: columnWidth(5.8, 8),
      skeleton: <Skeleton className="w-20" />,
      card: "side",
      cell: ({ isUsed }) => (
        <Badge tone={isUsed ? "revoked" : "active"} dot>
          {isUsed ? "Used" : "Available"}
        </Badge>
      ),
    },
    {
      ...actionsColumn<Token>(
        columnWidth(9.2, 19),
        [copyAction, inviteAction, revokeAction],
        (token) => !token.isUsed && <TokenActions token={token} open={open} />,
      ),
      header: "Action",
    },
  ];
}

function TokenText({ token }: Pick<Token, "token">) {
  return (
    <span
      translate="no"
      className="key-text block truncate max-md:text-xs/5 max-md:whitespace-normal max-md:wrap-anywhere list-small:text-xs list-small:whitespace-normal list-small:wrap-anywhere"
      title={token}
    >
      {token}
    </span>
  );
}

/** A used token cannot register another account, so it has no actions. */
function TokenActions({ token, open }: { token: Token; open: Open }) {
  return (
    <>
      <CopyButton
        label={copyAction.label}
        variant="row"
        className={labelledLook}
        text={token.token}
        onCopied={() => showToast({ title: "Copied", description: "Token copied to clipboard", brief: true })}
      />
      <RowAction {...inviteAction} onClick={() => open("invitation", token)} />
      <RowAction {...revokeAction} danger onClick={() => open("revocation", token)} />
    </>
  );
}
