import { RotateCcw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { usePreload } from "../../runtime/preload.ts";
import { useRights } from "../../runtime/rights.ts";
import { useHashCommand } from "../../state/hash-command.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { lazyDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { KeyOrder } from "../keys/order/key-order.tsx";
import { GenerationForm } from "./generation-form.tsx";
import type { GenerateProps } from "./key-management.tsx";

const ResetDevices = lazyDialog(() => import("./reset-devices.tsx"));

const copiedToast = { title: "Success", description: "Copied! Key copied to clipboard", brief: true };

export default function Generate({ generation: { draft, keys, folded }, change }: GenerateProps) {
  const [resetting, setResetting] = useState(false);
  /** These were already shown before the other tab was opened. */
  const [seen] = useState(keys);
  usePreload(ResetDevices.load);
  useHashCommand("reset", () => setResetting(true), { need: "everything" });
  return (
    <>
      {useRights().may("everything") && <DangerZone onReset={() => setResetting(true)} />}
      <KeyOrder
        folded={folded}
        onUnfold={() => change({ folded: false })}
        keys={keys}
        area="admin"
        orderId={keys[0]?.orderId ?? null}
        copiedToast={copiedToast}
        fresh={keys !== seen}
      >
        <GenerationForm
          draft={draft}
          onLeave={(left) => change({ draft: left })}
          onGenerated={(generated) => change({ keys: generated, folded: true })}
        />
      </KeyOrder>
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
            Removes every device from every key, including resellers' keys. The keys themselves stay the same. This
            cannot be undone.
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
