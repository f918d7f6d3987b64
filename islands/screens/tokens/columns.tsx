import type { Token } from "../../../src/tokens/schema.ts";
import { creditsText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { RowActions } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";

export const idOf = ({ id }: Token) => id;

/** The columns (rules.md: Referral Tokens page). The widths stand, so that none moves when the rows come. */
export const columns: DataColumn<Token>[] = [
  {
    id: "token",
    header: "Token",
    skeleton: <Skeleton className="w-28" />,
    cell: ({ token }) => (
      <span
        className="key-text block max-md:whitespace-normal max-md:wrap-anywhere md:w-0 md:min-w-full md:truncate list-small:text-xs"
        title={token}
      >
        {token}
      </span>
    ),
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
    width: columnWidth(6.5, 12),
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
    width: columnWidth(6, 7.5),
    skeleton: <CopySkeleton />,
    align: "right",
    card: "actions",
    cell: ({ isUsed, token }) => !isUsed && <CopyToken token={token} />,
  },
];

function UsedBy({ username }: { username: string | null }) {
  if (username === null) return <span className="text-faint">–</span>;
  return (
    <span
      className="block max-md:whitespace-normal max-md:wrap-anywhere md:w-0 md:min-w-full md:truncate"
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

/** Takes the room of the button until the row comes. */
function CopySkeleton() {
  return (
    <span aria-hidden className="invisible block">
      <RowActions>
        <CopyButton label="Copy" variant="row" text="" />
      </RowActions>
    </span>
  );
}

/** A used token opens no account any more, so there is nothing to hand out. */
function CopyToken({ token }: { token: string }) {
  return (
    <RowActions>
      <CopyButton
        label="Copy"
        variant="row"
        text={token}
        onCopied={() => showToast({ title: "Copied", description: "Token copied to clipboard", brief: true })}
      />
    </RowActions>
  );
}
