import { Download as DownloadIcon } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { saveAs } from "../ui/download.ts";
import type { Download } from "./download.ts";
import { useWork } from "./query.ts";

/** Fetches a file and saves it; the toast says `done`. */
export function useDownload(
  fetchFile: () => Promise<Download>,
  done: string,
  { failed = "Failed to download file", onDone }: { failed?: string; onDone?: () => void } = {},
) {
  return useWork({
    mutationFn: fetchFile,
    done,
    failed,
    onSuccess: ({ filename, blob }) => {
      saveAs(filename, blob);
      onDone?.();
    },
  });
}

interface DownloadCsvProps {
  label?: string;
  className?: string;
  fetchFile: () => Promise<Download>;
  done: string;
  onDone?: () => void;
}

/** Downloads all rows that match the filters, not only the loaded ones. */
export function DownloadCsv({ label = "Download CSV", className, fetchFile, done, onDone }: DownloadCsvProps) {
  const { mutate, isPending } = useDownload(fetchFile, done, { onDone });
  return (
    <Button
      className={className}
      icon={<DownloadIcon size={16} />}
      busy={isPending}
      busyText="Downloading..."
      onClick={() => mutate()}
    >
      {label}
    </Button>
  );
}
