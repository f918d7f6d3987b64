import { FileSpreadsheet, FileText, ShieldCheck } from "lucide-react";
import type { Ref } from "react";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { deviceLimitText, pluralText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { keysAsText, rowsAsCsv, saveAs } from "../../ui/download-keys.ts";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-store.ts";

type Keys = readonly ResellerKey[];

/** The keys of the batch that was made last, and every way to take them along. */
export function BoughtKeys({ keys, ref }: { keys: Keys; ref: Ref<HTMLElement> }) {
  const [first] = keys;
  if (!first) return null;
  return (
    <Card ref={ref} tabIndex={-1} aria-label="Generated Keys" className="mt-6 scroll-mt-20">
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
        <p className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-raised px-3 py-2.5">
          <ShieldCheck aria-hidden size={18} className="shrink-0 text-brass" />
          Keep your keys secure: whoever has a key can use it. Hand each one only to the player who paid for it.
        </p>
        <ol className="grid max-h-128 gap-2 overflow-y-auto md:grid-cols-2">
          {keys.map(({ id, keyString }) => (
            <li key={id} className="flex items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-3">
              <span className="key-text min-w-0 grow break-all">{keyString}</span>
              <CopyButton
                label="Copy Key"
                variant="ghost"
                text={keyString}
                onCopied={() => showToast({ title: "Copied", description: "Key copied to clipboard" })}
              />
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}

function TakeAll({ keys }: { keys: Keys }) {
  const said = `${pluralText(keys.length, "key")} copied to clipboard`;
  return (
    <div className="flex flex-wrap gap-2">
      <CopyButton
        label="Copy All"
        variant="secondary"
        text={() => keysAsText(keys)}
        onCopied={() => showToast({ title: "Copied", description: said })}
      />
      <Button
        size="small"
        icon={<FileText aria-hidden size={16} />}
        onClick={() => saveAs(fileName(keys, "txt"), keysAsText(keys))}
      >
        Download TXT
      </Button>
      <Button
        size="small"
        icon={<FileSpreadsheet aria-hidden size={16} />}
        onClick={() => saveAs(fileName(keys, "csv"), rowsAsCsv(keys.map(csvRow)), "text/csv")}
      >
        Download CSV
      </Button>
    </div>
  );
}

function csvRow(key: ResellerKey) {
  return {
    "License Key": key.keyString,
    Game: key.game,
    "Device Limit": deviceLimitText(key.deviceLimit),
    Created: key.createdAt,
    Expires: key.expiryDate,
  };
}

/** latchkey-5-keys-2025-03-05.txt */
function fileName(keys: Keys, ending: string): string {
  const day = keys[0]?.createdAt.slice(0, 10) ?? "";
  return `latchkey-${keys.length}-keys-${day}.${ending}`;
}
