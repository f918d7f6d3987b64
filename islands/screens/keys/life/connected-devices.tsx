import { Check, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Device, ResellerKeyDetail } from "../../../../src/keys/schema.ts";
import { timelineOf } from "../../../api/calls/key-life.ts";
import { ownKeyList, ownKeyQuery, removeDevice } from "../../../api/calls/own-keys.ts";
import { sayFailure } from "../../../api/failure-toast.ts";
import { refresh } from "../../../api/query.ts";
import { useWork } from "../../../api/work.ts";
import { Button } from "../../../ui/button.tsx";
import { showToast } from "../../../ui/toast/store.ts";
import { DeviceList, DeviceListSkeleton } from "../list/device-list.tsx";

interface ConnectedDevicesProps {
  /** Left out while it is on its way. */
  detail: ResellerKeyDetail | undefined;
  /** How many the list of keys knows of, and whether they can be removed. */
  count: number;
  removable: boolean;
}

/** The devices of a key. A device can be removed from an ACTIVE key only. */
export function ConnectedDevices({ detail, count, removable }: ConnectedDevicesProps) {
  if (!detail) return <DeviceListSkeleton count={count} action={removable} label="Loading the connected devices" />;
  return <LoadedDevices key={detail.id} detail={detail} />;
}

/**
 * A device that is gone keeps its row until the dialog closes: if the next one took its place, the second press of a double click
 * would remove that one too.
 */
function LoadedDevices({ detail }: { detail: ResellerKeyDetail }) {
  const devices = useEverShown(detail.devices);
  const connected = new Set(detail.devices.map(({ id }) => id));
  const removable = detail.status === "ACTIVE";
  return (
    <DeviceList
      devices={devices}
      emptyText="No devices connected to this key yet"
      action={
        removable || connected.size < devices.length
          ? (device) => (
              <Removal keyId={detail.id} device={device} removable={removable} gone={!connected.has(device.id)} />
            )
          : undefined
      }
    />
  );
}

/** In the order in which they connected, as the server has them. */
function useEverShown(now: readonly Device[]): readonly Device[] {
  const [shown, setShown] = useState(now);
  const known = new Set(shown.map(({ id }) => id));
  const fresh = now.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return shown;
  const all = [...shown, ...fresh];
  setShown(all);
  return all;
}

/** One button throughout, so that it keeps the focus. */
function Removal(props: { keyId: number; device: Device; removable: boolean; gone: boolean }) {
  const { keyId, device, removable, gone } = props;
  const removal = useWork({
    mutationFn: () => removeDevice(keyId, device.id),
    onSuccess: () => showToast({ title: "Success", description: "Device removed successfully" }),
    onError: (error) => sayFailure(error, "Failed to remove device"),
    // The button is busy until the list is known to be without the device. After a refusal too: the key may be no longer ACTIVE.
    onSettled: () => refresh(ownKeyQuery(keyId), timelineOf("reseller", keyId), ownKeyList),
  });
  if (!removable && !gone) return null;
  return (
    <Button
      size="small"
      variant={gone ? "ghost" : "danger-quiet"}
      aria-label={`${gone ? "Removed" : "Remove Device"} ${device.deviceId}`}
      aria-disabled={gone || undefined}
      icon={gone ? <Check aria-hidden size={16} /> : <Trash2 aria-hidden size={16} />}
      busy={removal.isPending}
      onClick={gone ? undefined : () => removal.mutate()}
    >
      {gone ? "Removed" : "Remove Device"}
    </Button>
  );
}
