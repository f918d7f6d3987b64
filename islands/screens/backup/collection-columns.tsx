import { Download } from "lucide-react";
import type { Collection } from "../../../src/backups/schema.ts";
import { downloadCollection } from "../../api/calls/backup.ts";
import { useDownload } from "../../api/use-download.tsx";
import { sizeText } from "../../format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Count, Verbatim } from "../../ui/table/card-text.tsx";
import type { DataColumn } from "../../ui/table/column.ts";
import { actionsColumn, RowAction } from "../../ui/table/row-action.tsx";
import { Time } from "../../ui/time.tsx";

/** The widths are fixed, so that no column moves when the rows arrive. */
export const columns: DataColumn<Collection>[] = [
  {
    id: "name",
    header: "Collection",
    width: "30%",
    cell: ({ name }) => <Verbatim>{name}</Verbatim>,
  },
  {
    id: "type",
    header: "Type",
    width: "16%",
    card: "corner",
    cell: ({ name }) => <Badge tone="plain">{collectionType(name)}</Badge>,
  },
  {
    id: "count",
    header: "Records",
    width: "12%",
    align: "right",
    card: "foot",
    dot: true,
    cell: ({ count }) => <Count of={count} unit="record" />,
  },
  {
    id: "size",
    header: "Size",
    width: "14%",
    align: "right",
    card: "foot",
    dot: true,
    cell: ({ size }) => sizeText(size),
  },
  {
    id: "modified",
    header: "Modified",
    width: "14%",
    card: "foot",
    cell: ({ modified }) => <Time value={modified} />,
  },
  actionsColumn("14%", [{ label: "Download", icon: null }], ({ name }) => <DownloadCollection name={name} />),
];

/** The type of a backup collection, by the first word that its name contains. */
const types = [
  ["admin", "Admin"],
  ["token", "Tokens"],
  ["device", "Devices"],
  ["keys", "Keys"],
  ["reseller", "Resellers"],
] as const;

export function collectionType(name: string): string {
  const lowerName = name.toLowerCase();
  return types.find(([part]) => lowerName.includes(part))?.[1] ?? "User Data";
}

/** Each row has its own state, so that several downloads can run at once. */
function DownloadCollection({ name }: { name: string }) {
  const { mutate, isPending } = useDownload(() => downloadCollection(name), `${name} downloaded successfully`);
  return (
    <RowAction
      label="Download"
      aria-label={`Download ${name}`}
      icon={<Download size={16} />}
      // The only action with a long name, and alone in its row.
      className="list-named:max-w-none!"
      busy={isPending}
      onClick={() => mutate()}
    />
  );
}
