import { Download } from "lucide-react";
import type { LedgerQuery } from "../../../src/resellers/ledger-schema.ts";
import type { Ledger } from "../../api/calls/ledger.ts";
import { sayFailure } from "../../api/failure-toast.ts";
import { useWork } from "../../api/work.ts";
import { Button } from "../../ui/button.tsx";
import { saveAs } from "../../ui/download.ts";
import { showToast } from "../../ui/toast/store.ts";

/** Everything that the filters let through, not only what is loaded. */
export function DownloadCsv({ download, filters }: Pick<Ledger, "download"> & { filters: LedgerQuery }) {
  const { mutate, isPending } = useWork({
    mutationFn: () => download(filters, "latchkey-credits.csv"),
    onSuccess: ({ filename, blob }) => {
      saveAs(filename, blob);
      showToast({ title: "Success", description: "Credits downloaded successfully" });
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
