import { useQuery } from "@tanstack/react-query";
import { LogOut, Monitor, Smartphone } from "lucide-react";
import { useState } from "react";
import type { OwnSession } from "../../../src/accounts/account-schema.ts";
import { endOwnSession, ownSessionsQuery } from "../../api/calls/account.ts";
import { refresh, useWork } from "../../api/query.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { usePreload } from "../../runtime/preload.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { lazyDialog, useDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { KeptFocus } from "../../ui/focus.ts";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { Ago, Time } from "../../ui/time.tsx";
import { browserNameOf } from "./browser-name.ts";

/** Shown at first, and added with each press. */
const sessionsAtOnce = 10;

const EndOthers = lazyDialog(() => import("./end-others.tsx"));

export function OwnSessions() {
  const query = useQuery(ownSessionsQuery);
  const { data, error } = query;
  return (
    <Card className="relative overflow-clip">
      <CardHeading title="Sessions" description="Browsers signed in to your account." />
      <div className="border-t border-line">
        {data ? (
          <>
            <EndAllOthers count={data.length - 1} />
            <SessionList sessions={data} />
          </>
        ) : error ? (
          <QueryFailure query={query} fallback="The sessions could not be loaded." />
        ) : (
          // Their number is unknown, but there is at least one.
          <SkeletonCards count={1} label="Loading the sessions" className="m-4 h-16" />
        )}
      </div>
    </Card>
  );
}

/** It appears with the list, and on phones above it: in the heading it would move what is already shown. */
function EndAllOthers({ count }: { count: number }) {
  const { dialog, show } = useDialog<{ count: number }>();
  usePreload(EndOthers.load);
  return (
    <>
      {count > 0 && (
        <div className="border-line max-md:border-b max-md:p-4 md:absolute md:top-5 md:right-5">
          <Button
            size="small"
            variant="danger-quiet"
            className="max-md:w-full"
            icon={<LogOut size={16} />}
            onClick={() => show({ count })}
          >
            End All Others
          </Button>
        </div>
      )}
      {dialog && <EndOthers {...dialog} />}
    </>
  );
}

function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  const [shown, setShown] = useState(sessionsAtOnce);
  // One for all rows: the second press of a double click lands on the row that moved up in place of the ended one.
  const end = useWork({
    mutationFn: endOwnSession,
    done: ({ message }) => message,
    failed: "Failed to end session",
    // After a refusal too: it may have ended by itself. The row is busy until the list is known to be without it.
    onSettled: () => refresh(ownSessionsQuery),
  });
  const [ending, setEnding] = useState<number | null>(null);
  const inOrder = [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
  const hidden = inOrder.length - shown;
  return (
    <>
      <KeptFocus />
      <ul aria-label="Your sessions" className="divide-y divide-line">
        {inOrder.slice(0, shown).map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={end.isPending && ending === session.id}
            onEnd={() => {
              if (end.isHeld()) return;
              setEnding(session.id);
              end.mutate(session.id);
            }}
          />
        ))}
      </ul>
      {inOrder.length === 1 && <p className="border-t border-line px-4 py-3 text-muted md:px-5">No other sessions.</p>}
      {hidden > 0 && (
        <div className="border-t border-line p-2 text-center">
          <Button variant="ghost" size="small" onClick={() => setShown(shown + sessionsAtOnce)}>
            Show More ({hidden} left)
          </Button>
        </div>
      )}
    </>
  );
}

interface SessionRowProps {
  session: OwnSession;
  busy: boolean;
  onEnd: () => void;
}

/** The current session has no button: Logout ends it. */
function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { current, createdAt, lastSeenAt, address, userAgent } = session;
  const { name, isPhone } = browserNameOf(userAgent);
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <li className={`group/row ${rowLook}`}>
      <Icon size={18} className="mt-1 shrink-0 text-faint" />
      <div className="min-w-0 grow">
        <p className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1 font-medium" title={userAgent ?? undefined}>
          <span className="min-w-0 wrap-anywhere">{name}</span>
          {current && <Badge tone="plain">This session</Badge>}
        </p>
        {/* Without the year: no session lasts longer than a month. */}
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {current ? (
              "Active now"
            ) : (
              <>
                Last seen <Ago value={lastSeenAt} format="dateAndTime" />
              </>
            )}
          </span>
          {address && <span className="figures wrap-anywhere">{address}</span>}
        </p>
        <p className="text-sm text-muted">
          Signed in <Time value={createdAt} format="dateAndTime" /> · <Ago value={createdAt} />
        </p>
      </div>
      {!current && (
        <Button
          size="small"
          variant="row"
          className="md:-mr-2.5"
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

const rowLook = "flex items-start gap-3 px-4 py-3 md:px-5";
