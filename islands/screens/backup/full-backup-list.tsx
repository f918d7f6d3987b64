import { useQuery } from "@tanstack/react-query";
import { DatabaseBackup } from "lucide-react";
import type { BackupState } from "../../../src/backups/schema.ts";
import { failureText } from "../../api/api.ts";
import { backupsQuery } from "../../api/calls/backup.ts";
import { sizeText } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Time } from "../../ui/time.tsx";

type FullBackup = BackupState["backups"][number];

const placeWords = { folder: "Server", s3: "S3" } as const;

const columns: DataColumn<FullBackup>[] = [
  { id: "name", header: "Backup", width: "46%", cell: ({ name }) => <span className="key-text">{name}</span> },
  { id: "at", header: "Made", width: "24%", cell: ({ at }) => <Time value={at} format="instant" /> },
  { id: "size", header: "Size", width: "14%", align: "right", cell: ({ size }) => sizeText(size) },
  {
    id: "places",
    header: "Kept on",
    width: "16%",
    cell: ({ places }) => places.map((place) => placeWords[place]).join(", "),
  },
];

const none: FullBackup[] = [];

/** The backups that the server made by itself or at a press, in both places. */
export function FullBackupList() {
  const { data, error, isRefetching, refetch } = useQuery(backupsQuery);
  if (data?.isElsewhere) return null;
  return (
    <section aria-label="Full backups" className="mt-6">
      <DataTable
        label="Full backups"
        columns={columns}
        rows={data?.backups ?? none}
        rowId={({ name }) => name}
        state={data ? "ready" : error ? "error" : "loading"}
        errorMessage={error ? failureText(error, "Failed to load the backups") : undefined}
        onRetry={() => refetch()}
        refreshing={isRefetching}
        skeletonRows={3}
        empty={
          <EmptyState
            icon={<DatabaseBackup size={20} />}
            title="No Backups Yet"
            hint="Make one now, or set BACKUP_SCHEDULE on the server."
          />
        }
      />
    </section>
  );
}
