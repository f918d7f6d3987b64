import { CopyButton } from "../../../ui/copy-button.tsx";
import { sayKeyCopied } from "../list/key-text.tsx";

/** The whole text of a key, to be copied. */
export function WholeKey({ keyString, copyLabel = "Copy" }: { keyString: string; copyLabel?: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
      <div className="min-w-0 grow">
        <p className="text-xs text-muted">License Key</p>
        <p className="key-text break-all text-text">{keyString}</p>
      </div>
      <CopyButton label={copyLabel} text={keyString} onCopied={sayKeyCopied} />
    </div>
  );
}
