import { Check, Copy, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { copyText } from "./clipboard.ts";

/** A copy indicator resets after 2 s (rules.md: Copying). */
export const copyFeedbackMs = 2_000;

export interface CopyButtonProps {
  text: string | (() => string);
  /** What it reads or is called at rest: 'Copy Key', 'Copy all'. */
  label: string;
  /** Only the icon is shown; the label is its name. */
  iconOnly?: boolean;
  size?: "small" | "medium";
  variant?: "primary" | "secondary" | "ghost" | "row";
  /** Called once the text is on the clipboard: the place for a toast. */
  onCopied?: () => void;
  className?: string;
}

type Outcome = "copied" | "failed" | null;

export function CopyButton({
  text,
  label,
  iconOnly = false,
  size = "small",
  variant,
  onCopied,
  className,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [presses, setPresses] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each further press starts the 2 s anew.
  useEffect(() => {
    if (outcome === null) return;
    const reset = setTimeout(() => setOutcome(null), copyFeedbackMs);
    return () => clearTimeout(reset);
  }, [outcome, presses]);

  async function copy() {
    const copied = await copyText(typeof text === "string" ? text : text());
    setOutcome(copied ? "copied" : "failed");
    setPresses((count) => count + 1);
    if (copied) onCopied?.();
  }

  const says = outcome === "copied" ? "Copied" : outcome === "failed" ? "Could not copy" : label;
  const icon = <CopyIcon outcome={outcome} />;
  return (
    <>
      {iconOnly ? (
        <IconButton label={says} icon={icon} size={size} variant={variant} className={className} onClick={copy} />
      ) : (
        <Button icon={icon} size={size} variant={variant} className={className} onClick={copy}>
          {says}
        </Button>
      )}
      <span role="status" className="sr-only">
        {outcome && says}
      </span>
    </>
  );
}

function CopyIcon({ outcome }: { outcome: Outcome }) {
  if (outcome === "copied") return <Check aria-hidden size={16} className="text-active" />;
  if (outcome === "failed") return <TriangleAlert aria-hidden size={16} className="text-danger-text" />;
  return <Copy aria-hidden size={16} />;
}
