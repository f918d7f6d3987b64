import { useQuery } from "@tanstack/react-query";
import {
  KeyRound,
  type LucideIcon,
  Megaphone,
  ShieldCheck,
  Ticket,
  TriangleAlert,
  UserPlus,
  Users,
} from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import type { RunningPause } from "../../src/interventions/schema.ts";
import type { Stats } from "../../src/reports/schema.ts";
import { conditionQuery, statsQuery } from "../api/calls/overview.ts";
import { newestResellersQuery } from "../api/calls/resellers.ts";
import { countText } from "../format.ts";
import { lostPartSentence, useLazy } from "../runtime/lazy.ts";
import { useRights } from "../runtime/rights.ts";
import { LinkButton, TextLink } from "../ui/button.tsx";
import { HeadingLink, StatCard } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { KeptFocus } from "../ui/focus.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Ago, Time } from "../ui/time.tsx";
import { Condition } from "./admin-overview/condition.tsx";
import { FirstSteps, useFirstSteps } from "./admin-overview/first-steps.tsx";
import { FiguresFailure, nothingHere, RecentRows, unknownFigure } from "./figures/overview-parts.tsx";
import { Pauses, SharedKeysLine } from "./keys/life/pauses.tsx";

const loadCharts = () => import("./figures/day-figures.tsx");

/** The admin's first page (rules.md: Overview pages). Nothing is shown that would move once the parts above are known. */
export default function AdminOverview(props: { mayGuide: boolean; pauses: RunningPause[]; sharedKeys: number }) {
  const { mayGuide, pauses, sharedKeys } = props;
  const { may } = useRights();
  const [readsFigures, readsResellers] = [may("stats:read"), may("resellers:read")];
  const { data } = useQuery({ ...conditionQuery, enabled: readsFigures });
  const { steps, isKnown, dismiss } = useFirstSteps(mayGuide);
  const isNew = steps !== null && data?.firstSteps.hasKey === false;
  // The steps say what to do about missing backups.
  const isGuided = steps !== null && data?.problems.join() === "NO_BACKUP";
  const { Part: Charts, lost, retry } = useLazy(loadCharts, readsFigures && isKnown && !isNew);
  const [areChartsKnown, setChartsKnown] = useState(false);
  const onChartsKnown = useCallback(() => setChartsKnown(true), []);
  return (
    <>
      <PageHeading title="Overview" description="Your resellers, keys and updates at a glance." />
      {data?.isClockAhead && <ClockAlert />}
      {readsFigures && <Figures />}
      {!readsFigures && !readsResellers && <EmptyState {...nothingHere} />}
      <div hidden={!isKnown}>
        {readsFigures && !isGuided && <Condition />}
        <Pauses area="admin" first={pauses} />
        <SharedKeysLine area="admin" count={sharedKeys} />
        {steps && <FirstSteps steps={steps} onDismiss={dismiss} />}
        {!isNew && Charts && <Charts area="admin" onKnown={onChartsKnown} />}
        {lost && <ErrorState message={lostPartSentence} onRetry={retry} />}
      </div>
      <div hidden={!isKnown || (readsFigures && !(isNew || areChartsKnown || lost))}>
        {readsResellers && <RecentActivity />}
        <KeptFocus />
      </div>
    </>
  );
}

function ClockAlert() {
  return (
    <div role="alert" className="mb-4 flex gap-3 rounded-lg border border-danger-line bg-danger-soft px-4 py-3 md:px-5">
      <TriangleAlert size={18} className="mt-0.5 shrink-0 text-danger-text" />
      <p className="min-w-0">
        <strong className="font-medium">The server's clock is far ahead of its records, so sales are paused.</strong>{" "}
        <span>
          Set it right or, if it is right, run <code className="whitespace-nowrap">latchkey clock confirm</code>.
        </span>
      </p>
    </div>
  );
}

const cards: { label: string; icon: LucideIcon; figure: (stats: Stats) => string; detail?: ReactNode }[] = [
  { label: "Total Resellers", icon: Users, figure: ({ totalResellers }) => countText(totalResellers) },
  { label: "Active Keys", icon: KeyRound, figure: ({ activeKeys }) => countText(activeKeys) },
  {
    label: "Available Tokens",
    icon: Ticket,
    figure: ({ availableTokens }) => countText(availableTokens),
    // On a phone the navigation to them is behind Menu, one press further away.
    detail: <IssueToken />,
  },
  {
    label: "Available Updates",
    icon: Megaphone,
    figure: (stats) => `${countText(stats.activeOnlineUpdates)} / ${countText(stats.inactiveOnlineUpdates)}`,
    detail: "active / inactive",
  },
  { label: "Total Admin Keys", icon: ShieldCheck, figure: ({ totalAdminKeys }) => countText(totalAdminKeys) },
];

function IssueToken() {
  return useRights().may("tokens:manage") && <TextLink href="/admin/tokens#new">Issue a token</TextLink>;
}

/**
 * Five cards fill every row: one row on wide screens, three and two below that, and on phones the last has a row to
 * itself.
 */
const gridLook = [
  "grid grid-cols-2 gap-3 max-md:*:last:col-span-2 md:gap-4 xl:grid-cols-5",
  "md:max-xl:grid-cols-6 md:max-xl:*:col-span-2 md:max-xl:*:nth-[n+4]:col-span-3",
].join(" ");

function Figures() {
  const query = useQuery(statsQuery);
  const { data, isError } = query;
  return (
    <>
      <dl className={gridLook}>
        {cards.map(({ label, icon: Icon, figure, detail }) => (
          <StatCard
            key={label}
            label={label}
            icon={<Icon size={16} className="max-sm:hidden" />}
            figure={data ? figure(data) : isError ? unknownFigure : undefined}
            detail={detail}
          />
        ))}
      </dl>
      {isError && !data && <FiguresFailure sentence="The figures could not be loaded." queries={[query]} />}
    </>
  );
}

function RecentActivity() {
  const list = useQuery(newestResellersQuery);
  return (
    <RecentRows
      title="Recent Activity"
      actions={
        <span className="flex">
          <HeadingLink href="/admin/audit">
            <span className="max-sm:hidden">View the audit log</span>
            <span className="sm:hidden">Audit log</span>
          </HeadingLink>
          <HeadingLink href="/admin/resellers">View all</HeadingLink>
        </span>
      }
      list={list}
      loading="Loading recent activity"
      look="flex min-h-14 items-center gap-3 px-4 py-2.5 md:px-5"
      hrefOf={({ id }) => `/admin/resellers/${id}/keys`}
      empty={{
        icon: <UserPlus size={20} />,
        title: "No resellers registered yet",
        hint: "Generate tokens to invite resellers",
        action: (
          <LinkButton href="/admin/tokens" variant="primary">
            Referral Tokens
          </LinkButton>
        ),
      }}
      skeleton={<Skeleton className="w-56" />}
      row={({ username, registrationDate }) => (
        <>
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-md border border-line bg-raised text-muted max-[22.5rem]:hidden"
          >
            <UserPlus size={16} />
          </span>
          <span className="min-w-0 grow">
            Reseller registered: <span translate="no">{username}</span>
          </span>
          <span className="shrink-0 text-sm text-muted">
            <Time value={registrationDate} />
            <span className="block text-right text-xs/4">
              <Ago value={registrationDate} />
            </span>
          </span>
        </>
      )}
    />
  );
}
