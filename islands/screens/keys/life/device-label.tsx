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
