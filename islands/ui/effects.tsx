import { Fragment, type ReactNode } from "react";

/** What a press will do, line by line, below the fields that decide it. A line without a value is left out. */
export function Effects({ lines, warning }: { lines: Record<string, ReactNode>; warning?: ReactNode }) {
  const shown = Object.entries(lines).filter(([, value]) => value !== undefined);
  return (
    <div role="status" className="figures rounded-lg border border-line bg-card px-3 py-2.5">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {shown.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="text-right">{value}</dd>
          </Fragment>
        ))}
      </dl>
      {warning && <p className="mt-1.5 text-sm text-danger-text not-first:border-t">{warning}</p>}
    </div>
  );
}
