import { useLazy } from "../../../runtime/lazy.ts";
import { usePreload } from "../../../runtime/preload.ts";
import type { ReceiptProps } from "./receipt.tsx";

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
        <p key={id} className="key-text break-all">
          {keyString}
        </p>
      ))}
    </section>
  );
}
