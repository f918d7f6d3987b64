import { Check, Copy, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";

/** A copy indicator resets after 2 s. */
export const copyFeedbackMs = 2_000;

interface CopyButtonProps {
  text: string | (() => string);
  /** Its text, or its name, at rest: 'Copy Key', 'Copy all'. */
  label: string;
  /** Only the icon is shown; the label is its name. */
  iconOnly?: boolean;
  variant?: "primary" | "secondary" | "ghost" | "row";
  /** Called once the text is on the clipboard, for a toast. */
  onCopied?: () => void;
  className?: string;
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, iconOnly = false, variant, onCopied, className } = props;
  /** A new object for each press, so that each further one starts the 2 s again. */
  const [outcome, setOutcome] = useState<{ copied: boolean } | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const reset = setTimeout(() => setOutcome(null), copyFeedbackMs);
    return () => clearTimeout(reset);
  }, [outcome]);

  async function copy() {
    const copied = await copyText(typeof text === "string" ? text : text());
    setOutcome({ copied });
    if (copied) onCopied?.();
  }

  const shownLabel = outcome === null ? label : outcome.copied ? "Copied" : "Could not copy";
  const icon = <CopyIcon copied={outcome?.copied} />;
  return (
    <>
      {iconOnly ? (
        <IconButton
          label={shownLabel}
          icon={icon}
          size="small"
          variant={variant}
          className={className}
          onClick={copy}
        />
      ) : (
        <Button icon={icon} size="small" variant={variant} className={className} onClick={copy}>
          {shownLabel}
        </Button>
      )}
      <span role="status" className="sr-only">
        {outcome && shownLabel}
      </span>
    </>
  );
}

function CopyIcon({ copied }: { copied: boolean | undefined }) {
  if (copied) return <Check size={16} className="text-active" />;
  if (copied === false) return <TriangleAlert size={16} className="text-danger-text" />;
  return <Copy size={16} />;
}

/**
 * Copies the text and returns whether that worked. Browsers offer `navigator.clipboard` on https and localhost only; a
 * panel on plain http in a local network copies through a hidden field instead.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, as in a page without focus: the field below may still work.
  }
  return copyThroughField(text);
}

function copyThroughField(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position:fixed;top:0;left:-9999px";
  // Inside an open dialog, which would take the focus back from elements outside.
  (focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    focused?.focus({ preventScroll: true });
  }
}
