import { Check, ShieldBan, Smartphone, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { foldedText } from "../../../../src/core/text.ts";
import type { Device } from "../../../../src/keys/schema.ts";
import { isReleasable } from "../../../../src/players/release-policy.ts";
import { isSharedDeviceId, newDevicesPerHourMax, newDevicesPerMinuteMax } from "../../../../src/verify/device-rules.ts";
import { type KeyDetail, keyListOf, queriesOfKey, removeDevice } from "../../../api/calls/keys.ts";
import { refresh, useWork } from "../../../api/query.ts";
import { useRights } from "../../../runtime/rights.ts";
import { useHashCommand } from "../../../state/hash-command.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { lazyDialog, useDialog } from "../../../ui/dialog/lazy-dialog.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import { Ago, Time, UtcDay } from "../../../ui/time.tsx";
import { deviceCountOf, type Key } from "../list/columns.tsx";

const BlockDevice = lazyDialog(() => import("./block-device.tsx"));

const linkLook = { variant: "ghost", size: "small" } as const;

interface ConnectedDevicesProps {
  area: Role;
  /** Undefined while it loads. */
  detail: KeyDetail | undefined;
  listed: Key | undefined;
}

/** The devices of a key. They can be removed from an ACTIVE key. */
export function ConnectedDevices({ area, detail, listed }: ConnectedDevicesProps) {
  const key = detail ?? listed;
  return (
    <>
      {key && <ConnectionLimit of={key} />}
      {detail ? (
        <RemovableDevices key={detail.id} area={area} detail={detail} />
      ) : (
        // As high as the coming list, because a centred dialog would jump otherwise.
        <SkeletonCards
          count={Math.min(Math.max(listed ? deviceCountOf(listed) : 1, 1), skeletonRowsMax)}
          label={area === "admin" ? "Loading the devices" : "Loading the connected devices"}
          className="h-14.5"
        />
      )}
    </>
  );
}

/** Why the devices of a large order connect one after another. */
function ConnectionLimit({ of: { status, deviceLimit } }: { of: Key | KeyDetail }) {
  if (status !== "ACTIVE" || deviceLimit <= newDevicesPerMinuteMax) return null;
  return (
    <p className="mb-2 text-sm text-muted">
      At most {newDevicesPerMinuteMax} new devices per minute and {newDevicesPerHourMax} per hour can connect from one
      address.
    </p>
  );
}

/**
 * A removed device keeps its row until the dialog closes: if the next device took its place, the second press of a
 * double click would remove that one too.
 */
function RemovableDevices({ area, detail }: { area: Role; detail: KeyDetail }) {
  const devices = useEverShown(detail.devices);
  const connected = new Set(detail.devices.map(({ id }) => id));
  const manages = useRights().may("keys:manage");
  const removable = manages && detail.status === "ACTIVE";
  const blockable = manages ? detail.devices.filter(({ deviceId }) => !isSharedDeviceId(deviceId)) : [];
  const { dialog, show } = useDialog<{ deviceId: string }>();
  useHashCommand("block-device", (text) => {
    const [device, other] = blockable.filter(({ deviceId }) => foldedText(deviceId).includes(foldedText(text)));
    if (device && !other) show({ deviceId: device.deviceId });
    else document.querySelector<HTMLElement>("#devices [data-block]")?.focus();
  });
  return (
    <>
      <DeviceList
        devices={devices}
        action={
          manages || connected.size < devices.length
            ? (device) => (
                <div className="flex flex-wrap gap-1">
                  <Removal {...{ area, device, removable }} keyId={detail.id} gone={!connected.has(device.id)} />
                  {blockable.some(({ id }) => id === device.id) && (
                    <Button
                      {...{ size: "small", variant: "row-danger", "aria-haspopup": "dialog", "data-block": "" }}
                      aria-label={`Block ${device.name ?? ""} ${device.deviceId}`}
                      icon={<ShieldBan size={16} />}
                      onClick={() => show({ deviceId: device.deviceId })}
                    >
                      Block
                    </Button>
                  )}
                </div>
              )
            : undefined
        }
      />
      <p className="mt-2 flex flex-wrap gap-1">
        <LinkButton {...linkLook} href={`/${area}/blocked-devices`}>
          Blocked devices
        </LinkButton>
        <LinkButton {...linkLook} href={`/${area}/shared-keys`}>
          Keys that seem shared
        </LinkButton>
      </p>
      {dialog && (
        <BlockDevice
          key={dialog.nth}
          {...dialog}
          area={area}
          onBlocked={() => void refresh(...queriesOfKey(area, detail.id), keyListOf(area))}
        />
      )}
      {detail.status === "ACTIVE" && connected.size > 0 && isReleasable(detail.keyString) && <PlayerPage />}
    </>
  );
}

/** Where the customer can do the same, if the game lets players. */
function PlayerPage() {
  const { host, origin } = window.location;
  return (
    <div className="mt-2 flex items-center gap-x-1 text-sm text-muted">
      <p className="min-w-0 text-pretty">
        Players whose game allows it can free a device themselves at{" "}
        <span translate="no" className="wrap-anywhere text-text">
          {`${host}/k`}
        </span>
      </p>
      <CopyButton iconOnly variant="ghost" label="Copy Address" text={`${origin}/k`} />
    </div>
  );
}

/** In order of connection, as the server returns them. */
function useEverShown(now: readonly Device[]): readonly Device[] {
  const [shown, setShown] = useState(now);
  const known = new Set(shown.map(({ id }) => id));
  const fresh = now.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return shown;
  const all = [...shown, ...fresh];
  setShown(all);
  return all;
}

/** The same button before and after, so that it keeps the focus. */
function Removal(props: { area: Role; keyId: number; device: Device; removable: boolean; gone: boolean }) {
  const { area, keyId, device, removable, gone } = props;
  const removal = useWork({
    mutationFn: () => removeDevice(area, keyId, device.id),
    done: "Device removed successfully",
    failed: "Failed to remove device",
    // The button stays busy until the list without the device is here. Also after a refusal: the key may not be ACTIVE
    // any more.
    onSettled: () => refresh(...queriesOfKey(area, keyId), keyListOf(area)),
  });
  if (!removable && !gone) return null;
  return (
    <Button
      size="small"
      variant={gone ? "ghost" : "row-danger"}
      aria-label={[gone ? "Removed" : "Remove Device", device.name, device.deviceId].filter(Boolean).join(" ")}
      aria-disabled={gone || undefined}
      icon={gone ? <Check size={16} /> : <Trash2 size={16} />}
      busy={removal.isPending}
      onClick={gone ? undefined : () => removal.mutate()}
    >
      {gone ? "Removed" : "Remove Device"}
    </Button>
  );
}

/** More rows would not fit the dialog. */
const skeletonRowsMax = 10;

/** `action` renders the button of a device, such as Remove Device. */
function DeviceList({ devices, action }: { devices: readonly Device[]; action?: (device: Device) => ReactNode }) {
  if (devices.length === 0) {
    return (
      <p className="rounded-lg border border-dashed border-edge px-4 py-6 text-center text-muted">
        No devices connected to this key yet
      </p>
    );
  }
  return (
    <ul className={listLook}>
      {devices.map((device) => (
        <li key={device.id} className={`group/row ${rowLook}`}>
          <Smartphone size={18} className="shrink-0 text-faint" />
          <div className="min-w-0">
            <DeviceLabel {...device} />
            <p className="flex flex-wrap gap-x-3 text-sm text-muted">
              <span>
                First connected <Time value={device.firstConnected} /> · <Ago value={device.firstConnected} />
              </span>
              <span>
                Last seen <UtcDay value={device.lastSeen} />
              </span>
            </p>
            {isSharedDeviceId(device.deviceId) && (
              <p className="text-sm text-expired">
                A placeholder, not a real ID: all devices that send it share this slot.
              </p>
            )}
          </div>
          {action && <div className="col-start-2 @md:col-start-3">{action(device)}</div>}
        </li>
      ))}
    </ul>
  );
}

/** In a narrow list the button goes below the device, so that the whole id can be read. */
const listLook = "@container divide-y divide-line rounded-lg border border-line bg-card";
const rowLook =
  "grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 px-3 py-2 @md:grid-cols-[auto_minmax(0,1fr)_auto]";

interface DeviceLabelProps {
  name: string | null;
  deviceId: string;
  className?: string;
}

/** What players call a device, then its id; only the id where its game sends no name. */
export function DeviceLabel({ name, deviceId, className = "" }: DeviceLabelProps) {
  return (
    <p translate="no" className={`flex flex-wrap items-baseline gap-x-2 ${className}`}>
      {name !== null && (
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {name}
        </span>
      )}
      <span className={`key-text min-w-0 break-all ${name === null ? "" : "text-muted"}`}>{deviceId}</span>
    </p>
  );
}
