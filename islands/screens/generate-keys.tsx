import { useEffect, useRef, useState } from "react";
import type { BoughtKeys } from "../../src/keys/schema.ts";
import { GeneratedKeys } from "../key-order/generated-keys.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { KeepSecure } from "./generate-keys/keep-secure.tsx";
import { PurchaseForm } from "./generate-keys/purchase-form.tsx";

type Keys = BoughtKeys["keys"];

const copiedToast = { title: "Copied", description: "Key copied to clipboard" };

/** Reseller Generate Keys (section 2). */
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
