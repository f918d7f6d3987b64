import { Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { Time } from "./time.tsx";

export interface ListedDevice {
  id: number;
  deviceId: string;
  firstConnected: string;
}

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
    <ul className="divide-y divide-line rounded-lg border border-line bg-card">
      {devices.map((device) => (
        <li key={device.id} className="flex items-center gap-3 px-3 py-2">
          <Smartphone aria-hidden size={18} className="shrink-0 text-faint" />
          <div className="min-w-0 grow">
            <p className="key-text truncate" title={device.deviceId}>
              {device.deviceId}
            </p>
            <p className="text-sm text-muted">
              First connected <Time value={device.firstConnected} />
            </p>
          </div>
          {action?.(device)}
        </li>
      ))}
    </ul>
  );
}
