import { useQuery } from "@tanstack/react-query";
import { DatabaseBackup, ShieldCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { BackupState } from "../../../src/backups/schema.ts";
import { backupsQuery, makeFullBackup } from "../../api/calls/backup.ts";
import { useWork } from "../../api/query.ts";
import { wholeList } from "../../api/query-failure.tsx";
import { pluralText, sizeText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";
import type { DataColumn } from "../../ui/table/column.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { Instant } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";

const stepWords: Record<NonNullable<BackupState["underWay"]>["step"], string> = {
  copying: "Copying",
  checking: "Checking",
  compressing: "Compressing",
  sending: "Sending to S3",
  readingBack: "Reading back",
};

/** The state of the operator's backups, and a button that makes one. */
export function FullBackups() {
  const query = useQuery(backupsQuery);
  const [progress, setProgress] = useState<BackupState | null>(null);
  const { mutate, isPending } = useWork({
    mutationFn: () => makeFullBackup(setProgress),
    onSuccess: ({ failure }) => {
      if (failure) showToast({ title: "Error", description: failure.message, style: "destructive" });
      else showToast({ title: "Success", description: "Backup made and checked" });
    },
    failed: "Failed to back up",
    onSettled: () => {
      setProgress(null);
      void query.refetch();
    },
  });
  return (
    <Card className="mb-4">
      <CardHeading
        icon={<DatabaseBackup size={20} />}
        title="Full Backups"
        description={
          <span className="block max-w-lg">
            Complete copies for restoring, checked and compressed on the server. They contain password hashes, so they
            can't be downloaded here. SECRET is in no backup: keep a copy of it elsewhere.
            {/* In a narrow window two lines high from the start. */}
            <span role="status" className="mt-1 block text-sm text-faint max-lg:min-h-10">
              <BackupStatus state={progress ?? query.data} failed={query.isError} />
            </span>
          </span>
        }
        actions={
          <Button
            className="max-md:w-full"
            icon={<ShieldCheck size={16} />}
            disabled={query.data?.isElsewhere}
            busy={isPending}
            busyText="Backing up..."
            onClick={() => mutate()}
          >
            Back Up Now
          </Button>
        }
      />
    </Card>
  );
}

/** Problems come first. */
function BackupStatus({ state, failed }: { state: BackupState | undefined; failed: boolean }) {
  if (!state) return failed ? <Warning>The backup status could not be loaded.</Warning> : <span>Loading...</span>;
  if (state.isElsewhere) {
    return <span>This database is backed up with its own tools. The panel doesn't see those backups.</span>;
  }
  const { underWay, lastGoodAt, nextAt, isLate, isS3Unreachable, failure, notRemoved } = state;
  if (underWay) {
    const percent = underWay.share === null ? "" : ` ${Math.round(underWay.share * 100)} %`;
    return <span className="figures">{`${stepWords[underWay.step]}...${percent}`}</span>;
  }
  return (
    <>
      {isLate && <Warning>The last good backup is too old. See the server's log for the reason.</Warning>}
      {failure && <Warning>{failure.message}</Warning>}
      {notRemoved.length > 0 && (
        <Warning>
          {`${pluralText(notRemoved.length, "old backup")} could not be removed. See the server's log.`}
        </Warning>
      )}
      {isS3Unreachable && <Warning>S3 is not responding, so its backups are not listed.</Warning>}
      <span>
        {lastGoodAt ? (
          <>
            Last good backup <Instant value={lastGoodAt} />
          </>
        ) : (
          "No good backup yet"
        )}
        <span className="max-sm:hidden"> · </span>
        <span className="max-sm:block">
          {isMadeElsewhere(state) && "made elsewhere · "}
          {nextAt ? (
            <>
              next <Instant value={nextAt} />
            </>
          ) : (
            "not scheduled"
          )}
        </span>
      </span>
    </>
  );
}

/** By the command line: such a backup lies where the operator put it, and is in no list. */
function isMadeElsewhere({ lastGoodAt, backups }: BackupState): boolean {
  return lastGoodAt !== null && !backups.some(({ at }) => at === lastGoodAt);
}

function Warning({ children }: { children: string }) {
  return (
    <span className="mb-1 flex items-start gap-2 font-medium text-danger-text">
      <TriangleAlert size={16} className="mt-0.5 shrink-0" />
      {children}
    </span>
  );
}

type FullBackup = BackupState["backups"][number];

const placeWords = { folder: "Server", s3: "S3" } as const;

const columns: DataColumn<FullBackup>[] = [
  {
    id: "name",
    header: "Backup",
    width: "46%",
    cell: ({ name }) => <Verbatim>{name}</Verbatim>,
  },
  {
    id: "at",
    header: "Made",
    width: "24%",
    dot: true,
    cell: ({ at }) => <Instant value={at} />,
  },
  {
    id: "size",
    header: "Size",
    width: "14%",
    align: "right",
    dot: true,
    cell: ({ size }) => sizeText(size),
  },
  {
    id: "places",
    header: "Stored on",
    width: "16%",
    cell: ({ places }) => places.map((place) => placeWords[place]).join(", "),
  },
];

/** The backups that the server made on schedule or on request, in both places. */
export function FullBackupList() {
  const query = useQuery(backupsQuery);
  const { data, isRefetching } = query;
  if (data?.isElsewhere) return null;
  return (
    <section aria-label="Full backups" className="mb-4">
      <DataTable
        label="Full backups"
        columns={columns}
        {...wholeList({ ...query, data: data?.backups }, "Failed to load backups")}
        refreshing={isRefetching}
        skeletonRows={3}
        empty={{
          icon: <DatabaseBackup size={20} />,
          title: data?.lastGoodAt ? "No Backups Here" : "No Backups Yet",
          hint: data?.lastGoodAt
            ? "The last good one was made elsewhere, with latchkey backup."
            : "Make one now, or set BACKUP_SCHEDULE on the server.",
        }}
      />
    </section>
  );
}
