import { ChartColumn, ChevronRight, KeyRound, SquarePlus } from "lucide-react";
import type { ReactNode } from "react";
import { useLazy } from "../runtime/lazy.ts";
import { Badge } from "../ui/badge.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Figures } from "./dashboard/figures.tsx";
import { RecentKeys } from "./dashboard/recent-keys.tsx";

const loadBelow = () => import("./dashboard/expiring-keys.tsx");

/** The reseller's first page (rules.md: Reseller overview). */
export default function Dashboard({ username }: { username: string }) {
  const { Part: Below } = useLazy(loadBelow, true);
  return (
    <>
      <PageHeading title="Overview" description={`Welcome back, ${username}. This is where your shop stands today.`} />
      <Figures />
      <QuickActions />
      <RecentKeys />
      {Below && <Below />}
    </>
  );
}

export function QuickActions() {
  return (
    <section aria-labelledby="quick-actions" className="mt-8">
      <h2 id="quick-actions" className="mb-3 text-lg font-semibold tracking-tight">
        Quick Actions
      </h2>
      <div className="grid gap-3 md:grid-cols-3 md:gap-4">
        <Tile
          href="/reseller/generate"
          icon={<SquarePlus aria-hidden size={18} />}
          title="Generate New Keys"
          detail="Spend credits on new license keys"
        />
        <Tile
          href="/reseller/keys"
          icon={<KeyRound aria-hidden size={18} />}
          title="Manage Keys"
          detail="Find, inspect and revoke your keys"
        />
        <button type="button" disabled className={`${tileLook} cursor-not-allowed border-dashed text-muted`}>
          <TileText
            icon={<ChartColumn aria-hidden size={18} />}
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
  return (
    <a href={href} className={`${tileLook} hover:border-edge hover:bg-raised`}>
      <TileText {...text} />
      <ChevronRight aria-hidden size={16} className="shrink-0 text-muted" />
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
