import { Ban, Clock, KeyRound, type LucideIcon, Pencil, RotateCcw, Smartphone, Unplug } from "lucide-react";
import { useState } from "react";
import type { KeyEvent } from "../../../src/keys/schema.ts";
import { countText } from "../../format.ts";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";

/** The rest is a press away: a key for a hundred devices has a long life behind it. */
const eventsShownFirst = 8;

const looks: Record<KeyEvent["what"], { Icon: LucideIcon; says: string }> = {
  CREATED: { Icon: KeyRound, says: "Key made" },
  DEVICE_CONNECTED: { Icon: Smartphone, says: "Device connected" },
  DEVICE_REMOVED: { Icon: Unplug, says: "Device removed" },
  DEVICES_RESET: { Icon: RotateCcw, says: "All devices reset" },
  NOTED: { Icon: Pencil, says: "Note changed" },
  REVOKED: { Icon: Ban, says: "Key revoked" },
  EXPIRED: { Icon: Clock, says: "Key expired" },
};

/** Newest first, as the server sends it. */
export function KeyHistory({ history }: { history: readonly KeyEvent[] }) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? history : history.slice(0, eventsShownFirst);
  return (
    <>
      <ol className="ml-2.5 grid gap-3 border-l border-line pl-4">
        {shown.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and nothing in them is kept between renders.
          <Event key={index} event={event} />
        ))}
      </ol>
      {shown.length < history.length && (
        <Button size="small" variant="ghost" className="mt-2" onClick={() => setWhole(true)}>
          Show all {countText(history.length)}
        </Button>
      )}
    </>
  );
}

function Event({ event: { what, by, at, deviceId } }: { event: KeyEvent }) {
  const { Icon, says } = looks[what];
  return (
    <li className="relative min-w-0">
      <span className="absolute -left-[1.6875rem] grid size-5.5 place-items-center rounded-full border border-line bg-raised text-muted">
        <Icon aria-hidden size={12} />
      </span>
      <p className="pl-1.5">
        {says}
        {by !== null && ` by ${by}`}
      </p>
      {deviceId !== null && (
        <p className="key-text truncate pl-1.5 text-muted" title={deviceId}>
          {deviceId}
        </p>
      )}
      <p className="pl-1.5 text-sm text-muted">
        <Time value={at} format="instant" />
      </p>
    </li>
  );
}
