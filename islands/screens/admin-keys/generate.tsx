import { useEffect, useRef, useState } from "react";
import { GeneratedKeys } from "../../key-order/generated-keys.tsx";
import { usePreload } from "../../runtime/preload.ts";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { DangerZone } from "./danger-zone.tsx";
import { GenerationForm } from "./generation-form.tsx";
import type { GenerateProps } from "./key-management.tsx";

const loadReset = () => import("./reset-devices.tsx");
const ResetDevices = lazyDialog(loadReset);

const copiedToast = { title: "Success", description: "Copied! Key copied to clipboard" };

export default function Generate({ draft, onLeave, made, onMade }: GenerateProps) {
  const [resetting, setResetting] = useState<boolean | null>(null);
  const result = useMadeKeysInView(made);
  usePreload(loadReset);
  return (
    <>
      <DangerZone onReset={() => setResetting(true)} />
      <GenerationForm draft={draft} onLeave={onLeave} onMade={onMade} />
      <GeneratedKeys ref={result} keys={made} copiedToast={copiedToast} />
      {resetting !== null && <ResetDevices open={resetting} onOpenChange={setResetting} />}
    </>
  );
}

/** New keys may stand below the window: whoever made them is taken there. Who comes back from the other tab is not. */
function useMadeKeysInView(made: readonly unknown[]) {
  const result = useRef<HTMLElement>(null);
  const seen = useRef(made);
  useEffect(() => {
    if (made !== seen.current) result.current?.focus();
    seen.current = made;
  }, [made]);
  return result;
}
