import { FileSpreadsheet, FileText } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { deviceLimitText, pluralText } from "../format.ts";
import { Button } from "../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../ui/card.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { saveAs } from "../ui/download.ts";
import { Time } from "../ui/time.tsx";
import { showToast, type ToastMessage } from "../ui/toast/store.ts";
import { batchAsCsv, batchAsText, batchFileName, type GeneratedKey } from "./batch-file.ts";

interface GeneratedKeysProps {
  keys: readonly GeneratedKey[];
  /** Shown when one key was copied. */
  copiedToast: ToastMessage;
  note?: ReactNode;
  ref: Ref<HTMLElement>;
}

/** The keys of the batch that was made last, and every way to take them along. */
export function GeneratedKeys({ keys, copiedToast, note, ref }: GeneratedKeysProps) {
  const [first] = keys;
  if (!first) return null;
  return (
    <Card ref={ref} tabIndex={-1} aria-label="Generated Keys" className="mt-6 scroll-mt-20 md:mb-20 md:scroll-mb-30">
      <CardHeading
        title="Generated Keys"
        description={
          <>
            {pluralText(keys.length, "key")} for {first.game}, {deviceLimitText(first.deviceLimit).toLowerCase()}{" "}
            {first.deviceLimit === 1 ? "device" : "devices"} each, until <Time value={first.expiryDate} />
          </>
        }
        actions={<TakeAll keys={keys} />}
      />
      <CardBody>
        {note}
        <ol className="grid max-h-128 gap-2 overflow-y-auto md:grid-cols-2">
          {keys.map(({ id, keyString }) => (
            <li key={id} className="flex items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-3">
              <span className="key-text min-w-0 grow break-all">{keyString}</span>
              <CopyButton label="Copy Key" variant="ghost" text={keyString} onCopied={() => showToast(copiedToast)} />
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}

function TakeAll({ keys }: Pick<GeneratedKeysProps, "keys">) {
  const said = `${pluralText(keys.length, "key")} copied to clipboard`;
  return (
    <div className="flex flex-wrap gap-2">
      <CopyButton
        label="Copy All"
        variant="secondary"
        text={() => batchAsText(keys)}
        onCopied={() => showToast({ title: "Copied", description: said })}
      />
      <Button
        size="small"
        icon={<FileText aria-hidden size={16} />}
        onClick={() => saveAs(batchFileName(keys, "txt"), batchAsText(keys))}
      >
        Download TXT
      </Button>
      <Button
        size="small"
        icon={<FileSpreadsheet aria-hidden size={16} />}
        onClick={() => saveAs(batchFileName(keys, "csv"), batchAsCsv(keys), "text/csv")}
      >
        Download CSV
      </Button>
    </div>
  );
}
