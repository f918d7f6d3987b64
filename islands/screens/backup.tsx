import { useQuery } from "@tanstack/react-query";
import { DatabaseZap, RotateCw } from "lucide-react";
import { useEffect } from "react";
import type { Collection } from "../../src/backups/schema.ts";
import { ApiFailure, failureText } from "../api/api.ts";
import { backupsQuery, collectionsQuery } from "../api/calls/backup.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { showToast } from "../ui/toast/store.ts";
import { CompleteArchive, SummaryCards } from "./backup/collection-cards.tsx";
import { columns } from "./backup/collection-columns.tsx";
import { FullBackupList, FullBackups } from "./backup/full-backups.tsx";
import { MovingKeys } from "./backup/moving-keys.tsx";

/** The number of collections in every database: the skeleton is as high as the list. */
const collectionsUsually = 11;
const none: Collection[] = [];

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
      <CompleteArchive collections={data} />
      <MovingKeys />
      <DataTable
        label="Collections"
        columns={columns}
        rows={data ?? none}
        state={data ? "ready" : error ? "error" : "loading"}
        errorMessage={failure}
        onRetry={() => query.refetch()}
        refreshing={isRefetching}
        skeletonRows={collectionsUsually}
        empty={
          <EmptyState
            icon={<DatabaseZap size={20} />}
            title="No Collections Found"
            hint="There may be a problem with the database connection. Check that the server can reach its database, then refresh."
          />
        }
      />
      <FullBackupList />
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
