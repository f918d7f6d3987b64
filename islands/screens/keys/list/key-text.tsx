import type { ReactNode } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { showToast } from "../../../ui/toast/store.ts";

/** One line in a table; in a small table a smaller font and up to two lines; as many as needed on a card. */
const look =
  "key-text block truncate max-md:text-xs max-md:whitespace-normal max-md:wrap-anywhere list-small:text-[clamp(0.68rem,1.74cqw,0.8125rem)] list-small:whitespace-normal list-small:wrap-anywhere";

/** On a phone a long press selects the row instead of opening the browser's menu. */
const linkLook = "touch min-w-0 rounded-sm underline-offset-3 hover:underline";

interface KeyTextProps {
  /** The key's page. */
  href: string;
  keyString: string;
  note: string | null;
  /** What is shown of it; by default the whole key. */
  children?: ReactNode;
}

/** A key in a list, which leads to its page, with its copy button, and its note below. */
export function KeyText({ href, keyString, note, children = keyString }: KeyTextProps) {
  return (
    // Takes the width of the column: a custom key of 64 characters would otherwise widen it.
    <span className="block md:w-0 md:min-w-full">
      <span className="flex min-w-0 items-center">
        <a href={href} className={linkLook} style={{ WebkitTouchCallout: "none" }}>
          <span translate="no" className={look} title={keyString}>
            {children}
          </span>
        </a>
        <CopyButton
          iconOnly
          variant="ghost"
          label="Copy key"
          className="-mr-1.5 max-md:-my-1"
          text={keyString}
          onCopied={showKeyCopied}
        />
      </span>
      {note !== null && (
        <span className="block text-xs font-normal whitespace-normal text-muted wrap-anywhere">{note}</span>
      )}
    </span>
  );
}

export function showKeyCopied(): void {
  showToast({ title: "Copied", description: "License key copied to clipboard", brief: true });
}
