import type { Token } from "../../../src/tokens/schema.ts";
import { creditsText } from "../../format.ts";
import { TokenBadge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { DataColumn } from "../../ui/data-column.ts";
import { RowActions } from "../../ui/row-action.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-store.ts";

export const idOf = ({ id }: Token) => id;

/** Section 2. The widths stand, so that no column moves when the rows come. */
export const columns: DataColumn<Token>[] = [
  {
    id: "token",
    header: "Token",
    cell: ({ token }) => (
      <span className="key-text block truncate md:max-w-80" title={token}>
        {token}
      </span>
    ),
  },
  {
    id: "created",
    header: "Created Date",
    cardLabel: "Created",
    width: "14%",
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    id: "usedBy",
    header: "Used By",
    width: "18%",
    cell: ({ usedBy }) => <UsedBy username={usedBy} />,
  },
  { id: "credits", header: "Credits", width: "10%", align: "right", cell: ({ credits }) => creditsText(credits) },
  {
    id: "status",
    header: "Status",
    width: "13%",
    card: "corner",
    cell: ({ isUsed }) => <TokenBadge isUsed={isUsed} />,
  },
  {
    id: "action",
    header: "Action",
    width: "7rem",
    align: "right",
    card: "actions",
    cell: ({ isUsed, token }) => !isUsed && <CopyToken token={token} />,
  },
];

function UsedBy({ username }: { username: string | null }) {
  if (username === null) return <span className="text-faint">–</span>;
  return (
    <span className="block truncate md:max-w-44" title={username}>
      {username}
    </span>
  );
}

/** A used token opens no account any more, so there is nothing to hand out. */
function CopyToken({ token }: { token: string }) {
  return (
    <RowActions>
      <CopyButton
        label="Copy"
        variant="secondary"
        text={token}
        onCopied={() => showToast({ title: "Copied", description: "Token copied to clipboard" })}
      />
    </RowActions>
  );
}
