import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, DatabaseZap, Download, RotateCw, Upload } from "lucide-react";
import { useEffect } from "react";
import { ApiFailure, failureText } from "../api/api.ts";
import { backupsQuery, collectionsQuery } from "../api/calls/backup.ts";
import { downloadExport } from "../api/calls/imports.ts";
import { wholeList } from "../api/query-failure.tsx";
import { useDownload } from "../api/use-download.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card, CardHeading } from "../ui/card.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { showToast } from "../ui/toast/store.ts";
import { CompleteArchive, SummaryCards } from "./backup/collection-cards.tsx";
import { columns } from "./backup/collection-columns.tsx";
import { FullBackupList, FullBackups } from "./backup/full-backups.tsx";

/** The number of collections in every database: the skeleton is as high as the list. */
const collectionsUsually = 11;

/** /admin/database-backup (rules.md: Database Backup page). */
export default function BackupScreen() {
  const query = useQuery(collectionsQuery);
  const backups = useQuery(backupsQuery);
  const { data, error, errorUpdateCount, isRefetching } = query;
  const failure = error ? listFailureText(error) : undefined;

  // The list keeps its rows when a refresh fails, so a toast reports the failure.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each further failure is reported, also one with the same text.
  useEffect(() => {
    if (failure) showToast({ title: "Error", description: failure, style: "destructive" });
  }, [failure, errorUpdateCount]);

  return (
    <>
      <PageHeading
        title="Database Backup"
        description="Download the database, one collection or all of it."
        actions={
          <Button
            icon={<RotateCw size={16} />}
            busy={isRefetching}
            busyText="Refreshing..."
            onClick={() => Promise.all([query.refetch(), backups.refetch()])}
          >
            Refresh
          </Button>
        }
      />
      <SummaryCards collections={data} failed={error !== null} />
      <FullBackups />
      {/* The state above and the list are as high as what they say. */}
      <div hidden={backups.isPending}>
        <FullBackupList />
        <CompleteArchive collections={data} />
        <MovingKeys />
        <DataTable
          label="Collections"
          columns={columns}
          {...wholeList(query, failure ?? "")}
          refreshing={isRefetching}
          skeletonRows={collectionsUsually}
          empty={{
            icon: <DatabaseZap size={20} />,
            title: "No Collections Found",
            hint: "There may be a problem with the database connection. Check that the server can reach its database, then refresh.",
          }}
        />
      </div>
    </>
  );
}

/**
 * Two wordings for a list that could not be loaded (rules.md: Database Backup page): 'fetch' when the server refused
 * without a sentence, 'load' when no readable response came.
 */
function listFailureText(error: unknown): string {
  const hasResponse = error instanceof ApiFailure && error.response !== "nothing";
  return hasResponse ? failureText(error, "Failed to fetch MongoDB collections") : "Failed to load MongoDB collections";
}

/** Keys from another panel, and all keys for another one. */
function MovingKeys() {
  const { mutate, isPending } = useDownload(downloadExport, "Keys exported successfully", {
    failed: "Failed to export the keys",
  });
  return (
    <Card className="mb-4">
      <CardHeading
        icon={<ArrowLeftRight size={20} />}
        title="Import and Export"
        description={
          <span className="block max-w-lg">
            Bring keys from another panel, or take all of yours with you: one CSV file with their devices.
          </span>
        }
        actions={
          <div className="flex gap-2 max-md:w-full max-md:*:grow">
            <LinkButton href="/admin/import" icon={<Upload size={16} />}>
              Import Keys
            </LinkButton>
            <Button icon={<Download size={16} />} busy={isPending} busyText="Exporting..." onClick={() => mutate()}>
              Export Keys
            </Button>
          </div>
        }
      />
    </Card>
  );
}
