import { useQuery } from "@tanstack/react-query";
import { CalendarDays, CircleCheck, CircleSlash, Coins } from "lucide-react";
import type { ReactNode } from "react";
import { activeOwnKeysQuery, newestOwnKeysQuery } from "../../api/calls/own-keys.ts";
import { profileQuery } from "../../api/calls/profile.ts";
import { countText, creditsText } from "../../format.ts";
import { StatCard } from "../../ui/stat-card.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Time } from "../../ui/time.tsx";
import { FiguresFailure, unknownFigure } from "../figures/overview-parts.tsx";

export function Figures() {
  const profile = useQuery(profileQuery);
  const all = useQuery(newestOwnKeysQuery);
  const active = useQuery(activeOwnKeysQuery);
  const allCount = all.data?.matchCount;
  const activeCount = active.data?.matchCount;
  // Expired Keys are those EXPIRED or REVOKED: all that are not ACTIVE.
  const endedCount =
    allCount === undefined || activeCount === undefined ? undefined : Math.max(0, allCount - activeCount);
  const failed = [profile, all, active].filter((query) => query.isError);

  return (
    <>
      <dl className="grid grid-cols-2 gap-3 max-[22.5rem]:grid-cols-1 md:gap-4 lg:grid-cols-4">
        <StatCard
          label="Credits"
          icon={<Coins aria-hidden size={16} />}
          figure={profile.isError ? unknownFigure : profile.data && creditsText(profile.data.credits)}
          detail={<TextLink href="/reseller/credits">Where they went</TextLink>}
        />
        <StatCard
          label="Active Keys"
          icon={<CircleCheck aria-hidden size={16} />}
          figure={countFigure(activeCount, active.isError)}
        />
        <StatCard
          label="Expired Keys"
          icon={<CircleSlash aria-hidden size={16} />}
          figure={countFigure(endedCount, all.isError || active.isError)}
          detail="Expired or revoked"
        />
        <StatCard
          label="Member Since"
          icon={<CalendarDays aria-hidden size={16} />}
          figure={profile.isPending ? undefined : <Time value={profile.data?.registrationDate} />}
          characters={"03/05/2025".length}
        />
      </dl>
      {failed.length > 0 && (
        <FiguresFailure
          sentence="Some figures could not be loaded."
          retrying={failed.some((query) => query.isFetching)}
          onRetry={() => {
            for (const query of failed) void query.refetch();
          }}
        />
      )}
    </>
  );
}

function countFigure(count: number | undefined, failed: boolean): ReactNode {
  if (count !== undefined) return countText(count);
  return failed ? unknownFigure : undefined;
}
