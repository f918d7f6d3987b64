import { downloadReport, type Import } from "../../api/calls/imports.ts";
import { DownloadCsv } from "../../api/use-download.tsx";

/** What became of each line, as a file. */
export function Report({ of: { id }, className }: { of: Import; className?: string }) {
  return (
    <DownloadCsv
      label="Download Report"
      className={className}
      fetchFile={() => downloadReport(id)}
      done="Report downloaded successfully"
    />
  );
}
