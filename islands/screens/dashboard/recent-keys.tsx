import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { recentRowsMax } from "../../../src/reports/limits.ts";
import { failureText } from "../../api/api.ts";
import { newestOwnKeysQuery } from "../../api/calls/own-keys.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Card, CardHeading } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { StatusBadge } from "../keys/list/status-badge.tsx";

export function RecentKeys() {
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
      <RecentList />
    </Card>
  );
}

function RecentList() {
  const { data, error, isPending, isFetching, refetch } = useQuery(newestOwnKeysQuery);
  if (error) {
    return (
      <ErrorState
        message={failureText(error, "Your keys could not be loaded.")}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (isPending) return <SkeletonList />;
  if (data.rows.length === 0) {
    return (
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
    );
  }
  return (
    <ul className="border-t border-line">
      {data.rows.map((key) => (
        <RecentKey key={key.id} recent={key} />
      ))}
    </ul>
  );
}

function RecentKey({ recent }: { recent: ResellerKey }) {
  return (
    <li className="border-line not-last:border-b">
      <a href={`/reseller/keys?key=${recent.id}`} className={`${rowLook} transition-colors hover:bg-raised`}>
        <Row
          keyText={
            <span className="key-text block truncate" title={recent.keyString}>
              {recent.keyString}
            </span>
          }
          game={recent.game}
          status={<StatusBadge status={recent.status} />}
          created={
            <>
              Created <Time value={recent.createdAt} />
            </>
          }
          expires={
            <>
              Expires <Time value={recent.expiryDate} />
            </>
          }
        />
      </a>
    </li>
  );
}

const rowLook =
  "grid min-h-17 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,1fr)_6rem_9.5rem_9.5rem] md:px-5";

/** On a phone the dates stand under the key, on wider screens beside it. */
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

/** As many rows as there may be, each as high as the ones that will come. */
function SkeletonList() {
  return (
    <div role="status" aria-label="Loading your newest keys" className="border-t border-line">
      {Array.from({ length: recentRowsMax }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never change places.
        <div key={index} className={`${rowLook} border-line not-last:border-b`}>
          <Row
            keyText={<Skeleton className="w-44" />}
            game={<Skeleton className="w-24" />}
            status={<Skeleton className="w-16" />}
            created={<Skeleton className="w-28" />}
            expires={<Skeleton className="w-28" />}
          />
        </div>
      ))}
    </div>
  );
}
