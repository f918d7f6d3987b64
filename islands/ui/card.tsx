import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

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

export function CardBody({ className, ...rest }: ComponentProps<"div">) {
  return <div {...rest} className={clsx("px-4 pb-4 md:px-5 md:pb-5", className)} />;
}
