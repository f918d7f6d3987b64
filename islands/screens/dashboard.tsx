import { useQuery } from "@tanstack/react-query";
import {
  CalendarDays,
  ChartColumn,
  ChevronRight,
  CircleCheck,
  CircleSlash,
  Coins,
  KeyRound,
  SquarePlus,
} from "lucide-react";
import type { ReactNode } from "react";
import type { RunningPause } from "../../src/interventions/schema.ts";
import type { ResellerKey } from "../../src/keys/schema.ts";
import { activeOwnKeysQuery, newestOwnKeysQuery, pausedOwnKeysQuery } from "../api/calls/keys.ts";
import { profileNeeds, profileQuery } from "../api/calls/session.ts";
import { countText, creditsText } from "../format.ts";
import { useRights } from "../runtime/rights.ts";
import { Badge } from "../ui/badge.tsx";
import { LinkButton, TextLink } from "../ui/button.tsx";
import { HeadingLink, StatCard } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Time } from "../ui/time.tsx";
import ExpiringSoon from "./dashboard/expiring-soon.tsx";
import { FiguresFailure, nothingHere, RecentRows, unknownFigure } from "./figures/overview-parts.tsx";
import { Pauses, SharedKeysLine } from "./keys/life/pauses.tsx";
import { KeyExpiry } from "./keys/list/key-expiry.tsx";
import { StatusBadge } from "./keys/list/status-badge.tsx";

const Below = lazyPart(() => import("./dashboard/below.tsx"));

type DashboardProps = { username: string; expiringKeys: number; pauses: RunningPause[]; sharedKeys: number };

/** The reseller's first page (rules.md: Overview pages). */
export default function Dashboard({ username, expiringKeys, pauses, sharedKeys }: DashboardProps) {
  const { may } = useRights();
  const readsKeys = may("keys:read");
  const readsFigures = readsKeys || may(profileNeeds);
  const summary = readsFigures ? " Here's how your shop is doing." : "";
  return (
    <>
      <PageHeading title="Overview" description={`Welcome back, ${username}.${summary}`} />
      {readsFigures ? <Figures /> : <EmptyState {...nothingHere} />}
      <Pauses area="reseller" first={pauses} />
      <SharedKeysLine area="reseller" count={sharedKeys} />
      {expiringKeys > 0 && <ExpiringSoon rowCount={expiringKeys} />}
      {may(["keys:read", "keys:order"]) && <QuickActions />}
      {readsKeys && <RecentKeys />}
      <Below />
    </>
  );
}

function QuickActions() {
  return (
    <section aria-labelledby="quick-actions" className="mt-8">
      <h2 id="quick-actions" className="mb-3 text-lg font-semibold tracking-tight">
        Quick Actions
      </h2>
      <div className="grid gap-3 md:grid-cols-3 md:gap-4">
        <Tile
          href="/reseller/generate"
          icon={<SquarePlus size={18} />}
          title="Generate New Keys"
          detail="Spend credits on new license keys"
        />
        <Tile
          href="/reseller/keys"
          icon={<KeyRound size={18} />}
          title="Manage Keys"
          detail="Find, inspect and revoke your keys"
        />
        <button type="button" disabled className={`${tileLook} cursor-not-allowed border-dashed text-muted`}>
          <TileText
            icon={<ChartColumn size={18} />}
            title="View Sales Report"
            detail={<Badge tone="plain">Coming Soon</Badge>}
          />
        </button>
      </div>
    </section>
  );
}

const tileLook =
  "flex min-h-17 items-center gap-3 rounded-lg border border-line bg-card px-4 py-3 text-left transition-colors";

interface TileTextProps {
  icon: ReactNode;
  title: string;
  detail: ReactNode;
}

function Tile({ href, ...text }: TileTextProps & { href: string }) {
  if (!useRights().mayOpen(href)) return null;
  return (
    <a href={href} className={`${tileLook} hover:border-edge hover:bg-raised`}>
      <TileText {...text} />
      <ChevronRight size={16} className="shrink-0 text-muted" />
    </a>
  );
}

function TileText({ icon, title, detail }: TileTextProps) {
  return (
    <>
      <span className="grid size-9 shrink-0 place-items-center rounded-md border border-line bg-raised text-muted">
        {icon}
      </span>
      <span className="min-w-0 grow">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted">{detail}</span>
      </span>
    </>
  );
}

function Figures() {
  const { may } = useRights();
  const ofKeys = { enabled: may("keys:read") };
  const profile = useQuery({ ...profileQuery, enabled: may(profileNeeds) });
  const all = useQuery({ ...newestOwnKeysQuery, ...ofKeys });
  const active = useQuery({ ...activeOwnKeysQuery, ...ofKeys });
  const paused = useQuery({ ...pausedOwnKeysQuery, ...ofKeys });
  const [allCount, activeCount, pausedCount] = [all, active, paused].map(({ data }) => data?.matchCount);
  // Expired Keys are those EXPIRED or REVOKED: all that are neither ACTIVE nor PAUSED.
  const endedCount =
    allCount === undefined || activeCount === undefined || pausedCount === undefined
      ? undefined
      : Math.max(0, allCount - activeCount - pausedCount);
  const failed = [profile, all, active, paused].filter((query) => query.isError);

  return (
    <>
      <dl className="grid grid-cols-2 gap-3 max-[22.5rem]:grid-cols-1 md:gap-4 lg:grid-cols-4">
        <StatCard
          label="Credits"
          need={profileNeeds}
          icon={<Coins size={16} />}
          figure={profile.isError ? unknownFigure : profile.data && creditsText(profile.data.credits)}
          detail={may("credits:read") && <TextLink href="/reseller/credits">View history</TextLink>}
        />
        <StatCard
          label="Active Keys"
          need="keys:read"
          icon={<CircleCheck size={16} />}
          figure={countFigure(activeCount, active.isError)}
        />
        <StatCard
          label="Expired Keys"
          need="keys:read"
          icon={<CircleSlash size={16} />}
          figure={countFigure(endedCount, all.isError || active.isError || paused.isError)}
          detail="Expired or revoked"
        />
        <StatCard
          label="Member Since"
          need={profileNeeds}
          icon={<CalendarDays size={16} />}
          figure={profile.isPending ? undefined : <Time value={profile.data?.registrationDate} />}
          characters={"03/05/2025".length}
        />
      </dl>
      {failed.length > 0 && <FiguresFailure sentence="Some figures could not be loaded." queries={failed} />}
    </>
  );
}

function countFigure(count: number | undefined, failed: boolean): ReactNode {
  if (count !== undefined) return countText(count);
  return failed ? unknownFigure : undefined;
}

function RecentKeys() {
  const list = useQuery(newestOwnKeysQuery);
  return (
    <RecentRows
      title="Recent Key Activities"
      actions={<HeadingLink href="/reseller/keys">View all</HeadingLink>}
      list={list}
      fallback="Your keys could not be loaded."
      loading="Loading your newest keys"
      look={rowLook}
      hrefOf={({ id }) => `/reseller/keys/${id}`}
      row={(key) => <Row of={key} />}
      skeleton={
        <>
          <span>
            <Skeleton className="w-44" />
            <Skeleton className="w-24" />
          </span>
          <Skeleton className="w-16" />
          <Skeleton className="w-28" />
          <Skeleton className="w-28" />
        </>
      }
      empty={{
        icon: <KeyRound size={20} />,
        title: "No Keys Generated Yet",
        hint: "Keys you generate appear here.",
        action: (
          <LinkButton href="/reseller/generate" variant="primary">
            Generate Keys
          </LinkButton>
        ),
      }}
    />
  );
}

const rowLook =
  "grid min-h-17 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-1 px-4 py-3 md:gap-x-4 md:grid-cols-[minmax(0,1fr)_6rem_9.5rem_9.5rem] md:px-5";

/** On a phone the dates are below the key, on wider screens next to it. */
function Row({ of: key }: { of: ResellerKey }) {
  return (
    <>
      <span className="min-w-0">
        <span
          translate="no"
          className="key-text block wrap-anywhere max-[24rem]:text-xs md:truncate"
          title={key.keyString}
        >
          {key.keyString}
        </span>
        <span translate="no" className="block truncate text-sm text-muted">
          {key.game}
        </span>
      </span>
      <span className="justify-self-end md:justify-self-start">
        <StatusBadge status={key.status} />
      </span>
      <span className="text-sm text-muted max-[24rem]:text-xs">
        Created <Time value={key.createdAt} />
      </span>
      <span className="justify-self-end text-right text-sm text-muted max-md:max-w-34 max-[24rem]:text-xs">
        {key.expiryDate !== null && "Expires "}
        <KeyExpiry of={key} />
      </span>
    </>
  );
}
