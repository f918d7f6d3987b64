import type { ReactNode } from "react";
import { Skeleton } from "./skeleton.tsx";

interface StatCardProps {
  label: string;
  icon?: ReactNode;
  /** Already formatted; left out while loading, which keeps the height of the card. */
  figure?: ReactNode;
  /** The length of the figure, where it is not plain text. */
  characters?: number;
  detail?: ReactNode;
}

/** One figure with its name. Belongs in a `<dl>`. */
export function StatCard({ label, icon, figure, characters, detail }: StatCardProps) {
  return (
    <div className="min-h-29.5 rounded-lg border border-line bg-card p-4">
      <dt className="mb-3 flex items-center justify-between gap-2 text-sm font-medium text-muted">
        {label}
        {icon && <span className="text-faint">{icon}</span>}
      </dt>
      <dd className="@container">
        <span
          className="figures flex min-h-8 items-center text-2xl font-semibold tracking-tight"
          style={{ fontSize: fitting(characters ?? (typeof figure === "string" ? figure.length : 1)) }}
        >
          {figure ?? <Skeleton className="h-6! w-20" />}
        </span>
        {detail && <span className="figures block text-sm text-muted">{detail}</span>}
      </dd>
    </div>
  );
}

/** A character is narrower than 0.69 of its height: the font of a long figure shrinks until it fits its card. */
function fitting(characters: number): string {
  return `min(var(--text-2xl), ${Math.floor(145 / characters)}cqw)`;
}
