import { FileText } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { saveAs } from "../../ui/download.ts";
import { focusOnArrival } from "../../ui/focus/on-arrival.ts";

/** What the codes are for stands in the file too: who finds it in a year has forgotten. */
export function RecoveryCodeList({ codes, username }: { codes: readonly string[]; username: string }) {
  const asFile = () =>
    [`Latchkey recovery codes of ${username} at ${window.location.host}`, "Each is good once.", "", ...codes, ""].join(
      "\n",
    );
  return (
    // The focus stands on no button here: Enter, pressed once too often, must not close what is shown once.
    <section ref={focusOnArrival} tabIndex={-1} aria-label="Recovery codes" className="outline-none">
      <ol className="grid gap-x-6 gap-y-1.5 rounded-lg border border-line bg-card p-3 md:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="key-text text-center text-text">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2 max-md:*:grow">
        <CopyButton label="Copy" variant="secondary" text={() => codes.join("\n")} />
        <Button
          size="small"
          icon={<FileText aria-hidden size={16} />}
          onClick={() => saveAs("latchkey-recovery-codes.txt", asFile())}
        >
          Download
        </Button>
      </div>
    </section>
  );
}
