import { CircleCheck, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { deviceLimitText, pluralText } from "../../../format.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import type { GeneratedKey } from "./batch-file.ts";

interface FoldingOrderProps {
  /** The keys of the last order. */
  keys: readonly GeneratedKey[];
  folded: boolean;
  onUnfold: () => void;
  /** The form, which stays on the page with its typed text. */
  children: ReactNode;
}

/**
 * After an order its form is folded to one line, so that it neither offers the same keys again nor warns about credits,
 * until Generate More is pressed.
 */
export function FoldingOrder({ keys, folded, onUnfold, children }: FoldingOrderProps) {
  const form = useRef<HTMLDivElement>(null);
  const wasFolded = useRef(folded);
  useEffect(() => {
    // The pressed button is gone.
    if (wasFolded.current && !folded) form.current?.querySelector("select")?.focus();
    wasFolded.current = folded;
  }, [folded]);
  const [first] = keys;
  return (
    <>
      <div ref={form} hidden={folded}>
        {children}
      </div>
      {folded && first && (
        <Card className="flex items-center gap-3 py-2 pr-2 pl-4 md:pl-5">
          <CircleCheck size={18} className="shrink-0 text-active" />
          <p className="figures min-w-0 grow truncate">
            <span className="font-medium">{pluralText(keys.length, "key")}</span>{" "}
            <span className="text-muted">
              · {first.game}
              <span className="max-md:hidden">
                {" "}
                · {deviceLimitText(first.deviceLimit)} {first.deviceLimit === 1 ? "device" : "devices"}
              </span>
            </span>
          </p>
          <Button size="small" className="max-md:[&_svg]:hidden" icon={<Plus size={16} />} onClick={onUnfold}>
            Generate More
          </Button>
        </Card>
      )}
    </>
  );
}
