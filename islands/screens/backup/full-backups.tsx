import { useQuery } from "@tanstack/react-query";
import { DatabaseBackup, ShieldCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { BackupState } from "../../../src/backups/schema.ts";
import { backupsQuery, makeFullBackup } from "../../api/calls/backup.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { useWork } from "../../api/work.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast/store.ts";

const stepWords: Record<NonNullable<BackupState["underWay"]>["step"], string> = {
  copying: "Copying",
  checking: "Checking",
  compressing: "Compressing",
  sending: "Sending to S3",
  readingBack: "Reading back",
};

/** The operator's backups: how they stand, and one at a press. */
export function FullBackups() {
  const query = useQuery(backupsQuery);
  const [atWork, setAtWork] = useState<BackupState | null>(null);
  const { mutate, isPending } = useWork({
    mutationFn: () => makeFullBackup(setAtWork),
    onSuccess: ({ failure }) => {
      if (failure) showToast({ title: "Error", description: failure.message, style: "destructive" });
      else showToast({ title: "Success", description: "Backup made and checked" });
    },
    onError: (error) => sayFailure(error, "Failed to make a backup"),
    onSettled: () => {
      setAtWork(null);
      void query.refetch();
    },
  });
  return (
    <Card className="mb-6">
      <CardHeading
        icon={<DatabaseBackup aria-hidden size={20} />}
        title="Full Backups"
        description={
          <span className="block max-w-lg">
            Whole copies for restoring, checked and compressed on the server. They hold password hashes, so they are not
            downloaded here.
          </span>
        }
        actions={
          <Button
            className="max-md:w-full"
            icon={<ShieldCheck aria-hidden size={16} />}
            disabled={query.data?.isElsewhere}
            busy={isPending}
            busyText="Backing up..."
            onClick={() => mutate()}
          >
            Back Up Now
          </Button>
        }
      />
      {/* On a phone two lines tall from the first, which what will be said may need. */}
      <div className="px-4 pb-4 text-sm text-faint max-sm:min-h-14 md:px-5" role="status">
        <Standing state={atWork ?? query.data} failed={query.isError} />
      </div>
    </Card>
  );
}

/** What is wrong stands first, and in words. */
function Standing({ state, failed }: { state: BackupState | undefined; failed: boolean }) {
  if (!state) return failed ? <Warning>How the backups stand could not be loaded.</Warning> : <p>Loading...</p>;
  if (state.isElsewhere) {
    return <p>The database is a server of its own, backed up by its own tools. Nothing is known of that here.</p>;
  }
  const { underWay, lastGoodAt, nextAt, isLate, isS3Unreachable, failure } = state;
  if (underWay) {
    const percent = underWay.share === null ? "" : ` ${Math.round(underWay.share * 100)} %`;
    return <p className="figures">{`${stepWords[underWay.step]}...${percent}`}</p>;
  }
  return (
    <>
      {isLate && <Warning>The last good backup is too old. The server's log says why none was made since.</Warning>}
      {failure && <Warning>{failure.message}</Warning>}
      {isS3Unreachable && <Warning>S3 does not answer, so what lies there is not listed.</Warning>}
      <p>
        {lastGoodAt ? (
          <>
            Last good backup <Time value={lastGoodAt} format="instant" />
          </>
        ) : (
          "No good backup yet"
        )}
        {" · "}
        {nextAt ? (
          <>
            next <Time value={nextAt} format="instant" />
          </>
        ) : (
          "not scheduled"
        )}
      </p>
    </>
  );
}

function Warning({ children }: { children: string }) {
  return (
    <p className="mb-1 flex items-start gap-2 font-medium text-danger-text">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}
