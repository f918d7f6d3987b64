import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { type Guarded, useRights } from "../runtime/rights.ts";
import { LinkButton, type LinkButtonProps } from "./button.tsx";
import { Skeleton } from "./skeleton.tsx";

/** A surface for one subject. `danger` outlines what cannot be undone. */
export function Card({ danger = false, className, ...rest }: ComponentProps<"section"> & { danger?: boolean }) {
  return (
    <section
      {...rest}
      className={clsx("rounded-lg border bg-card", danger ? "border-danger-line" : "border-line", className)}
    />
  );
}

export function CardHeading(props: {
  title: ReactNode;
  description?: ReactNode;
  icon?: ReactNode;
  actions?: ReactNode;
  danger?: boolean;
}) {
  const { title, description, icon, actions, danger = false } = props;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4 md:px-5">
      <div className="flex min-w-0 items-start gap-3 md:flex-1 md:basis-64">
        {icon && <span className={clsx("mt-0.5", danger ? "text-danger-text" : "text-muted")}>{icon}</span>}
        <div className="min-w-0">
          <h2 className={clsx("text-lg font-semibold tracking-tight", danger && "text-danger-text")}>{title}</h2>
          {description && <p className="mt-0.5 text-muted">{description}</p>}
        </div>
      </div>
      {actions}
    </div>
  );
}

/** A link among the actions of a heading. */
export function HeadingLink(link: Pick<LinkButtonProps, "href" | "children">) {
  return <LinkButton {...link} variant="ghost" size="small" className="-my-1 last:-mr-2.5" />;
}

export function CardBody({ className, ...rest }: ComponentProps<"div">) {
  return <div {...rest} className={clsx("px-4 pb-4 md:px-5 md:pb-5", className)} />;
}

interface StatCardProps extends Guarded {
  label: string;
  icon?: ReactNode;
  /** Already formatted; left out while loading, which keeps the height of the card. */
  figure?: ReactNode;
  /** The length of the figure, where it is not plain text. */
  characters?: number;
  detail?: ReactNode;
}

/** One figure with its name, on a phone at most 104 px high. Belongs in a `<dl>`. */
export function StatCard({ label, icon, figure, characters, detail, need }: StatCardProps) {
  if (!useRights().may(need)) return null;
  return (
    <div className="min-h-21 rounded-lg border border-line bg-card p-3 md:min-h-29.5 md:p-4">
      <dt className="mb-0.5 flex items-center justify-between gap-2 text-sm font-medium text-muted max-[22.5rem]:text-xs max-[22.5rem]:tracking-tight md:mb-3">
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

/** A name with its value, which is left out while loading. Belongs in a `<dl>`. A `wide` one has the whole row. */
export function Fact(props: Guarded & { name: string; wide?: boolean; children?: ReactNode }) {
  const { name, wide = false, need, children } = props;
  if (!useRights().may(need)) return null;
  return (
    <div className={wide ? "col-span-full" : "min-w-0"}>
      <dt className="mb-1 text-xs font-medium text-muted">{name}</dt>
      <dd className="figures flex min-h-5.5 items-center wrap-anywhere [&_time]:whitespace-normal">
        {children ?? <Skeleton className="w-20" />}
      </dd>
    </div>
  );
}
