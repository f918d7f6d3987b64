import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { creditsText, creditsWithUnit } from "../format.ts";
import { FoldingOrder } from "../key-order/folding-order.tsx";
import { MadeKeys } from "../key-order/made-keys.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { type Bought, PurchaseForm } from "./generate-keys/purchase-form.tsx";

const copiedToast = { title: "Copied", description: "Key copied to clipboard" };
const nothingYet: Bought = { keys: [], cost: 0, credits: 0 };

/** /reseller/generate (rules.md: Generate Keys page). */
export default function GenerateKeys({ resellerId }: { resellerId: number }) {
  const [{ keys, cost, credits }, setBought] = useState(nothingYet);
  const [folded, setFolded] = useState(false);
  return (
    <>
      <PageHeading
        title="Generate Keys"
        description="Every key costs credits; how many depends on how long it lasts."
      />
      <FoldingOrder keys={keys} folded={folded} onUnfold={() => setFolded(false)}>
        <PurchaseForm
          resellerId={resellerId}
          onBought={(bought) => {
            setBought(bought);
            setFolded(true);
          }}
        />
      </FoldingOrder>
      <MadeKeys
        keys={keys}
        paid={`${creditsWithUnit(cost)} paid, ${creditsText(credits)} left`}
        copiedToast={copiedToast}
        note={<KeepSecure />}
        fresh
      />
    </>
  );
}

/** The reminder beside new keys (rules.md: Generate Keys page). */
function KeepSecure() {
  return (
    <p className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-raised px-3 py-2.5">
      <ShieldCheck aria-hidden size={18} className="shrink-0 text-brass" />
      Keep your keys secure: whoever has a key can use it. Hand each one only to the player who paid for it.
    </p>
  );
}
