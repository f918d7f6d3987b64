import type { ReactNode } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { showToast } from "../../../ui/toast/store.ts";

/** Whole, in as many lines as it needs; in a small table and on a phone in a smaller font. */
const look =
  "key-text block whitespace-normal wrap-anywhere max-md:text-xs max-[24rem]:tracking-tight list-stacks:leading-4 list-small:text-[clamp(0.68rem,1.74cqw,0.8125rem)]";

/** On a phone a long press selects the row instead of opening the browser's menu. */
const linkLook = "row-link touch min-w-0 rounded-sm underline-offset-3 hover:underline";

interface KeyTextProps {
  /** The key's page. */
  href: string;
  keyString: string;
  /** What is shown of it; by default the whole key. */
  children?: ReactNode;
}

/** A key in a list, which leads to its page, with its copy button. */
export function KeyText({ href, keyString, children = keyString }: KeyTextProps) {
  return (
    <span className="flex items-center">
      <a href={href} className={linkLook} style={{ WebkitTouchCallout: "none" }}>
        <span translate="no" className={look} title={keyString}>
          {children}
        </span>
      </a>
      <CopyButton
        iconOnly
        variant="ghost"
        label="Copy key"
        className="touch -mr-1.5 max-md:-my-1.5 max-md:min-h-8 max-md:w-8 list-named:w-8"
        text={keyString}
        onCopied={showKeyCopied}
      />
    </span>
  );
}

export function showKeyCopied(): void {
  showToast({ title: "Copied", description: "License key copied to clipboard", brief: true });
}
