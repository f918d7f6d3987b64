import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import type { Device, ResellerKeyDetail } from "../../../src/keys/schema.ts";
import { postJson } from "../../api.ts";
import { refresh } from "../../query.ts";
import { Button } from "../../ui/button.tsx";
import { DeviceList } from "../../ui/device-list.tsx";
import { sayFailure } from "../../ui/failure-toast.ts";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast-store.ts";

const keysPath = "/api/reseller/keys";

/** The devices of a key; `detail` is left out while it is on its way. A device can be removed from an ACTIVE key only. */
export function ConnectedDevices({ detail }: { detail: ResellerKeyDetail | undefined }) {
  if (!detail) return <SkeletonCards count={1} label="Loading the connected devices" className="h-17" />;
  return (
    <DeviceList
      devices={detail.devices}
      emptyText="No devices connected to this key yet"
      action={detail.status === "ACTIVE" ? (device) => <RemoveDevice keyId={detail.id} device={device} /> : undefined}
    />
  );
}

function RemoveDevice({ keyId, device }: { keyId: number; device: Device }) {
  const removal = useMutation({
    mutationFn: () => postJson(`${keysPath}/${keyId}/devices/${device.id}/remove`),
    onSuccess: () => showToast({ title: "Success", description: "Device removed successfully" }),
    onError: (error) => sayFailure(error, "Failed to remove device"),
    // The button is busy until the device is gone from the list. After a refusal too: the key may be no longer ACTIVE.
    onSettled: () => refresh(`${keysPath}/${keyId}`, keysPath),
  });
  return (
    <Button
      size="small"
      variant="danger-quiet"
      aria-label={`Remove Device ${device.deviceId}`}
      icon={<Trash2 aria-hidden size={16} />}
      busy={removal.isPending}
      onClick={() => removal.mutate()}
    >
      Remove Device
    </Button>
  );
}
