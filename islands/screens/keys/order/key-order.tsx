import { CircleCheck, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { deviceLimitText, pluralText } from "../../../format.ts";
import { useLazy } from "../../../runtime/lazy.ts";
import { usePreload } from "../../../runtime/preload.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import type { ReceiptProps } from "./receipt.tsx";

interface KeyOrderProps extends ReceiptProps {
  folded: boolean;
  onUnfold: () => void;
  /** The form, which stays on the page with its typed text. */
  children: ReactNode;
}

/**
 * After an order its form is folded to one line, so that it neither offers the same keys again nor warns about credits,
 * until Generate More is pressed.
 */
export function KeyOrder({ folded, onUnfold, children, ...receipt }: KeyOrderProps) {
  const { keys } = receipt;
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
      <GeneratedKeys {...receipt} />
    </>
  );
}

const loadReceipt = () => import("./receipt.tsx");

/** The keys of the last batch. The receipt is loaded at the first sign of a user. */
export function GeneratedKeys(props: ReceiptProps) {
  const { keys } = props;
  usePreload(loadReceipt);
  const { Part: Receipt, lost } = useLazy(loadReceipt, keys.length > 0 && keys);
  if (keys.length === 0) return null;
  if (Receipt) return <Receipt {...props} />;
  return lost && <PlainKeys keys={keys} />;
}

/** Bought keys are shown even if the script of the receipt cannot be loaded. */
function PlainKeys({ keys }: Pick<ReceiptProps, "keys">) {
  return (
    <section aria-label="Generated Keys" className="mt-4 rounded-lg border border-line bg-card p-4">
      {keys.map(({ id, keyString }) => (
        <p key={id} translate="no" className="key-text break-all">
          {keyString}
        </p>
      ))}
    </section>
  );
}
