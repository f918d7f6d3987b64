import { Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";

export interface ListedDevice {
  id: number;
  deviceId: string;
  firstConnected: string;
}

/** More than these would not fit the dialog anyway. */
const skeletonRowsMax = 10;

/** The devices of a key. `action` is what can be done with each, such as Remove Device. */
export function DeviceList<Device extends ListedDevice>(props: {
  devices: readonly Device[];
  emptyText: string;
  action?: (device: Device) => ReactNode;
}) {
  const { devices, emptyText, action } = props;
  if (devices.length === 0) {
    return <p className="rounded-lg border border-dashed border-edge px-4 py-6 text-center text-muted">{emptyText}</p>;
  }
  return (
    <ul className={listLook}>
      {devices.map((device) => (
        <li key={device.id} className={rowLook}>
          <Smartphone aria-hidden size={18} className="shrink-0 text-faint" />
          <div className="min-w-0">
            <p className="key-text break-all">{device.deviceId}</p>
            <p className="text-sm text-muted">
              First connected <Time value={device.firstConnected} />
            </p>
          </div>
          {action && <div className={actionLook}>{action(device)}</div>}
        </li>
      ))}
    </ul>
  );
}

/** As high as the list that will come, of as many devices as the key is known to have: a dialog in the middle would jump. */
export function DeviceListSkeleton({ count, label, action }: { count: number; label: string; action?: boolean }) {
  return (
    <div role="status" aria-label={label} className={listLook}>
      {Array.from({ length: Math.min(Math.max(count, 1), skeletonRowsMax) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places.
        <div key={index} className={`${rowLook} ${count === 0 ? "py-3.5" : ""}`}>
          <span className="size-4.5" />
          <div>
            <Skeleton className="w-40" />
            <Skeleton className="w-32" />
          </div>
          {action && count > 0 && <div className={`${actionLook} h-(--hit-small)`} />}
        </div>
      ))}
    </div>
  );
}

/** Where the list is narrow, what can be done stands under the device: its id has to be read whole. */
const listLook = "@container divide-y divide-line rounded-lg border border-line bg-card";
const rowLook =
  "grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 px-3 py-2 @md:grid-cols-[auto_minmax(0,1fr)_auto]";
const actionLook = "col-start-2 @md:col-start-3";
