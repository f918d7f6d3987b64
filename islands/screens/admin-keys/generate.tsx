import { RotateCcw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { usePreload } from "../../runtime/preload.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { FoldingOrder } from "../keys/order/folding-order.tsx";
import { GeneratedKeys } from "../keys/order/generated-keys.tsx";
import { GenerationForm } from "./generation-form.tsx";
import type { GenerateProps } from "./key-management.tsx";

const loadReset = () => import("./reset-devices.tsx");
const ResetDevices = lazyDialog(loadReset);

const copiedToast = { title: "Success", description: "Copied! Key copied to clipboard", brief: true };

export default function Generate({ draft, onLeave, made, onMade, folded, onFold }: GenerateProps) {
  const [resetting, setResetting] = useState(false);
  /** These were already shown before the other tab was opened. */
  const [seen] = useState(made);
  usePreload(loadReset);
  return (
    <>
      <DangerZone onReset={() => setResetting(true)} />
      <FoldingOrder keys={made} folded={folded} onUnfold={() => onFold(false)}>
        <GenerationForm
          draft={draft}
          onLeave={onLeave}
          onMade={(keys) => {
            onMade(keys);
            onFold(true);
          }}
        />
      </FoldingOrder>
      <GeneratedKeys
        keys={made}
        area="admin"
        orderId={made[0]?.orderId ?? null}
        copiedToast={copiedToast}
        fresh={made !== seen}
      />
      <ResetDevices open={resetting} onOpenChange={setResetting} />
    </>
  );
}

function DangerZone({ onReset }: { onReset: () => void }) {
  return (
    <Card danger className="mb-4">
      <CardHeading
        danger
        icon={<TriangleAlert size={20} />}
        title="Danger Zone"
        description={
          <span className="block max-w-xl">
            Resetting removes every device from every key, of admins and resellers. The keys stay as they are. It cannot
            be undone.
          </span>
        }
        actions={
          <Button variant="danger-quiet" className="max-md:w-full" icon={<RotateCcw size={16} />} onClick={onReset}>
            RESET ALL KEYS
          </Button>
        }
      />
    </Card>
  );
}
