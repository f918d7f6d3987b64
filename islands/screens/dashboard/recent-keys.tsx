import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { failureText } from "../../api/api.ts";
import { newestOwnKeysQuery } from "../../api/calls/own-keys.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { RecentRows } from "../figures/overview-parts.tsx";
import { StatusBadge } from "../keys/list/status-badge.tsx";

export function RecentKeys() {
  const list = useQuery(newestOwnKeysQuery);
  return (
    <Card className="mt-8">
      <CardHeading
        title="Recent Key Activities"
        actions={
          <LinkButton href="/reseller/keys" variant="ghost" size="small" className="-mr-2.5">
            View all
          </LinkButton>
        }
      />
      <RecentRows
        list={list}
        failureText={(error) => failureText(error, "Your keys could not be loaded.")}
        loading="Loading your newest keys"
        skeletonLook={rowLook}
        skeleton={() => (
          <Row
            keyText={<Skeleton className="w-44" />}
            game={<Skeleton className="w-24" />}
            status={<Skeleton className="w-16" />}
            created={<Skeleton className="w-28" />}
            expires={<Skeleton className="w-28" />}
          />
        )}
        empty={
          <EmptyState
            icon={<KeyRound size={20} />}
            title="No Keys Generated Yet"
            hint="The keys that you generate show up here."
            action={
              <LinkButton href="/reseller/generate" variant="primary">
                Generate Keys
              </LinkButton>
            }
          />
        }
        row={({ id, keyString, game, status, createdAt, expiryDate }) => (
          <a href={`/reseller/keys?key=${id}`} className={`${rowLook} transition-colors hover:bg-raised`}>
            <Row
              keyText={
                <span className="key-text block truncate" title={keyString}>
                  {keyString}
                </span>
              }
              game={game}
              status={<StatusBadge status={status} />}
              created={
                <>
                  Created <Time value={createdAt} />
                </>
              }
              expires={
                <>
                  Expires <Time value={expiryDate} />
                </>
              }
            />
          </a>
        )}
      />
    </Card>
  );
}

const rowLook =
  "grid min-h-17 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,1fr)_6rem_9.5rem_9.5rem] md:px-5";

/** On a phone the dates are below the key, on wider screens next to it. */
function Row(props: {
  keyText: ReactNode;
  game: ReactNode;
  status: ReactNode;
  created: ReactNode;
  expires: ReactNode;
}) {
  return (
    <>
      <span className="min-w-0">
        {props.keyText}
        <span className="block truncate text-sm text-muted">{props.game}</span>
      </span>
      <span className="justify-self-end md:justify-self-start">{props.status}</span>
      <span className="text-sm text-muted">{props.created}</span>
      <span className="justify-self-end text-sm text-muted">{props.expires}</span>
    </>
  );
}
