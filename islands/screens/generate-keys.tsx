import { ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { BoughtKeys } from "../../src/orders/schema.ts";
import { GeneratedKeys } from "../key-order/generated-keys.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { PurchaseForm } from "./generate-keys/purchase-form.tsx";

type Keys = BoughtKeys["keys"];

const copiedToast = { title: "Copied", description: "Key copied to clipboard" };

/** /reseller/generate (rules.md: Generate Keys page). */
export default function GenerateKeys({ resellerId }: { resellerId: number }) {
  const [bought, setBought] = useState<Keys | null>(null);
  const result = useRef<HTMLElement>(null);
  // The new keys may stand below the window: whoever made them is taken there.
  useEffect(() => {
    if (bought) result.current?.focus();
  }, [bought]);
  return (
    <>
      <PageHeading
        title="Generate Keys"
        description="Every key costs credits; how many depends on how long it lasts."
      />
      <PurchaseForm resellerId={resellerId} onBought={setBought} />
      {bought && <GeneratedKeys ref={result} keys={bought} copiedToast={copiedToast} note={<KeepSecure />} />}
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
