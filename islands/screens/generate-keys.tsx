import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { BoughtKeys } from "../../src/orders/schema.ts";
import { creditsText, creditsWithUnit } from "../format.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { PurchaseForm } from "./generate-keys/purchase-form.tsx";
import { KeyOrder } from "./keys/order/key-order.tsx";

const copiedToast = { title: "Copied", description: "Key copied to clipboard", brief: true };
const nothing: BoughtKeys["keys"] = [];

interface GenerateKeysProps {
  resellerId: number;
  /** The query string of the request. */
  search: string;
}

/** /reseller/generate (rules.md: Key forms). */
export default function GenerateKeys({ resellerId, search }: GenerateKeysProps) {
  const [bought, setBought] = useState<BoughtKeys | null>(null);
  const [folded, setFolded] = useState(false);
  return (
    <>
      <PageHeading title="Generate Keys" description="The longer a key lasts, the more credits it costs." />
      <KeyOrder
        folded={folded}
        onUnfold={() => setFolded(false)}
        keys={bought?.keys ?? nothing}
        area="reseller"
        orderId={bought?.orderId ?? null}
        paid={bought && `${creditsWithUnit(bought.cost)} paid, ${creditsText(bought.credits)} left`}
        copiedToast={copiedToast}
        note={<KeepSecure />}
        fresh
      >
        <PurchaseForm
          resellerId={resellerId}
          search={search}
          onBought={(now) => {
            setBought(now);
            setFolded(true);
          }}
        />
      </KeyOrder>
    </>
  );
}

/** The reminder next to new keys. */
function KeepSecure() {
  return (
    <p className="mb-4 flex items-center gap-3 rounded-lg border border-line bg-raised px-3 py-2.5">
      <ShieldCheck size={18} className="shrink-0 text-muted" />
      Keep your keys secure: anyone who has a key can use it. Give each one only to the player who paid for it.
    </p>
  );
}
