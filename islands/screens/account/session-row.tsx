import { Monitor, Smartphone } from "lucide-react";
import type { OwnSession } from "../../../src/accounts/account-schema.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { browserNameOf } from "./browser-name.ts";

interface SessionRowProps {
  session: OwnSession;
  busy: boolean;
  onEnd: () => void;
}

/** The session that looks at this has no button: it is ended by Logout. */
export function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { current, createdAt, lastSeenAt, address, userAgent } = session;
  const { name, isPhone } = browserNameOf(userAgent);
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <li className={`group/row ${rowLook}`}>
      <Icon aria-hidden size={18} className="mt-1 shrink-0 text-faint" />
      <div className="min-w-0 grow">
        <p className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1 font-medium" title={userAgent ?? undefined}>
          <span className="min-w-0 wrap-anywhere">{name}</span>
          {current && <Badge tone="plain">This session</Badge>}
        </p>
        {/* Without the year: no session lives for longer than a month. */}
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {current ? (
              "Active now"
            ) : (
              <>
                Last seen <Time value={lastSeenAt} format="dateAndTime" />
              </>
            )}
          </span>
          {address && <span className="figures wrap-anywhere">{address}</span>}
        </p>
        <p className="text-sm text-muted">
          Opened <Time value={createdAt} format="dateAndTime" />
        </p>
      </div>
      {!current && (
        <Button
          size="small"
          variant="row"
          className="-mr-2.5"
          aria-label={`End the session of ${name}${address ? ` from ${address}` : ""}`}
          busy={busy}
          busyText="Ending..."
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  );
}

/** How many there are nobody knows; one is there always. */
export function SessionSkeletons() {
  return (
    <div role="status" aria-label="Loading the sessions" className="divide-y divide-line">
      <div className={rowLook}>
        <span className="size-4.5" />
        <div>
          <Skeleton className="w-36" />
          <Skeleton className="w-48" />
          <Skeleton className="w-40" />
        </div>
      </div>
    </div>
  );
}

const rowLook = "flex items-start gap-3 px-4 py-3 md:px-5";
