import { Download } from "lucide-react";
import type { AuditQuery } from "../../../src/audit/schema.ts";
import { auditList, downloadRecord } from "../../api/calls/audit.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { Button } from "../../ui/button.tsx";
import { saveAs } from "../../ui/download.ts";
import { showToast } from "../../ui/toast/store.ts";

/** Everything that the filters let through, not only what is loaded. */
export function DownloadCsv({ filters }: { filters: AuditQuery }) {
  const { mutate, isPending } = useWork({
    mutationFn: () => downloadRecord(filters, "latchkey-record.csv"),
    onSuccess: ({ filename, blob }) => {
      saveAs(filename, blob);
      showToast({ title: "Success", description: "Record downloaded successfully" });
      // The download is on record, too.
      void refresh(auditList);
    },
    onError: (error) => sayFailure(error, "Failed to download file"),
  });
  return (
    <Button
      icon={<Download aria-hidden size={16} />}
      busy={isPending}
      busyText="Downloading..."
      onClick={() => mutate()}
    >
      Download CSV
    </Button>
  );
}
