import { useQuery } from "@tanstack/react-query";
import { CirclePause, Play, Share2 } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import type { RunningPause } from "../../../../src/interventions/schema.ts";
import {
  countAffected,
  intervene,
  interventionsQuery,
  isAtWork,
  pausesQuery,
} from "../../../api/calls/interventions.ts";
import { refresh, useWork } from "../../../api/query.ts";
import { momentText, pluralText } from "../../../format.ts";
import { useHydrated } from "../../../runtime/hydration.ts";
import { useRights } from "../../../runtime/rights.ts";
import { Button, TextLink } from "../../../ui/button.tsx";

const lineLook = "flex min-h-14 flex-wrap items-center gap-3 border-line px-4 py-2 not-last:border-b md:px-5";

/** A line for each pause and game, while an intervention holds keys paused. Only admins end it. `first`: the server's. */
export function Pauses({ area, first }: { area: Role; first: RunningPause[] }) {
  const { may } = useRights();
  const { data = first } = useQuery({ ...pausesQuery(area), enabled: may("keys:read") });
  const hydrated = useHydrated();
  if (data.length === 0) return null;
  return (
    <ul aria-label="Pauses" className="mt-3 rounded-lg border border-line bg-card md:mt-4">
      {data.map(({ interventionId, game, keys, at, resellerNote }) => (
        <li key={`${interventionId} ${game}`} className={lineLook}>
          <CirclePause size={18} className="shrink-0 text-other" />
          <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
            {`${pluralText(keys, `${game} key`)} paused since ${momentText(at, hydrated ? undefined : "UTC")}.`}
            {resellerNote && <span className="block text-sm text-muted">{resellerNote}</span>}
          </span>
          {area === "admin" && may("everything") && <Resumption id={interventionId} />}
        </li>
      ))}
    </ul>
  );
}

/** That keys seem shared. The server counts them up to the number that the page lists. */
export function SharedKeysLine({ area, count }: { area: Role; count: number }) {
  if (count === 0) return null;
  const keys = count >= 200 ? "200 or more keys seem" : count === 1 ? "1 key seems" : `${count} keys seem`;
  return (
    <p className={`mt-3 rounded-lg border bg-card md:mt-4 ${lineLook}`}>
      <Share2 size={18} className="shrink-0 text-expired" />
      <TextLink href={`/${area}/shared-keys`}>{`${keys} to be shared`}</TextLink>
    </p>
  );
}

/** Resumes the keys of an intervention's scope, and says how many that are. */
export function Resumption({ id }: { id: number }) {
  const { data: all = [] } = useQuery(interventionsQuery);
  const pause = all.find((each) => each.id === id);
  const order = { kind: "resume", scope: pause?.scope ?? {}, reason: pause?.reason ?? "" } as const;
  const counting = { queryKey: ["resumable", order.scope], queryFn: () => countAffected(order), staleTime: 0 };
  const { data } = useQuery({ ...counting, enabled: pause !== undefined });
  const { mutate, isPending } = useWork({
    mutationFn: () => intervene(order, {}),
    done: ({ count }) => `Started for ${pluralText(count, "key")}`,
    failed: "Failed to start the intervention",
    onSettled: () => refresh(interventionsQuery, pausesQuery("admin"), counting),
  });
  const look = { size: "small", icon: <Play size={16} />, className: data ? "" : "invisible" } as const;
  return (
    // It keeps its place until the number is known.
    <Button {...look} busy={isPending || all.some(isAtWork)} onClick={() => mutate()}>
      {`Resume ${pluralText(data?.count ?? 0, "key")}`}
    </Button>
  );
}
