import { Trash2 } from "lucide-react";
import type { ApiKey } from "../../../src/accounts/api-keys/api-key-schema.ts";
import { lastColumn } from "../../api/short-list.tsx";
import { creditsWithUnit } from "../../format.ts";
import { OnCard, Verbatim } from "../../ui/table/card-text.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";

const deleteAction = { label: "Delete", icon: <Trash2 size={16} /> };

export function apiKeyColumns(onDelete: (apiKey: ApiKey) => void): DataColumn<ApiKey>[] {
  return [
    {
      id: "name",
      header: "API Key",
      cell: ({ name, lastFour }) => (
        <span className="font-medium whitespace-normal wrap-anywhere">
          {name} <Verbatim className="font-normal whitespace-nowrap text-muted">…{lastFour}</Verbatim>
        </span>
      ),
      note: ({ scopes }) => scopes.join(", "),
      noteLines: "all",
    },
    {
      id: "limits",
      header: "Limits",
      width: columnWidth(7, 14),
      wraps: true,
      cell: (row) => {
        const limits = limitsOf(row);
        return (
          <span title={limits} className="whitespace-normal wrap-anywhere md:line-clamp-3">
            {limits}
          </span>
        );
      },
    },
    {
      id: "created",
      header: "Created",
      width: columnWidth(5.2, 7.5),
      card: "foot",
      dot: true,
      cell: ({ createdAt }) => (
        <>
          <OnCard>Created </OnCard>
          <Time value={createdAt} />
        </>
      ),
    },
    lastColumn({ header: "Last Used", dot: true }, "Used", ({ lastUsedAt }) => lastUsedAt, <Never what="used" />),
    {
      id: "expires",
      header: "Expires",
      width: columnWidth(5.2, 7.5),
      wraps: true,
      card: "foot",
      cell: ({ expiresAt }) => (expiresAt === null ? <Never what="expires" /> : <Expiry at={expiresAt} />),
    },
    actionsColumn(columnWidth(4.2, 6.5), [deleteAction], (row) => (
      <RowAction {...deleteAction} danger onClick={() => onDelete(row)} />
    )),
  ];
}

function Never({ what }: { what: string }) {
  return (
    <span>
      Never<OnCard> {what}</OnCard>
    </span>
  );
}

function Expiry({ at }: { at: string }) {
  if (Date.parse(at) > Date.now()) {
    return (
      <>
        <OnCard>Expires </OnCard>
        <Time value={at} />
      </>
    );
  }
  return (
    <span className="text-danger-text">
      Expired <Time value={at} />
    </span>
  );
}

function limitsOf({ creditsPerDay, addresses }: ApiKey): string {
  const limits = [
    ...(creditsPerDay === null ? [] : [`${creditsWithUnit(creditsPerDay)} a day`]),
    ...(addresses.length === 0 ? [] : [`Only from ${addresses.join(", ")}`]),
  ];
  return limits.join(" · ") || "No limits";
}
