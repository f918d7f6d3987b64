import type { ReactNode } from "react";
import { Skeleton } from "./skeleton.tsx";

/** A name with its value, which is left out while loading. Belongs in a `<dl>`. */
export function Fact({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-xs font-medium text-muted">{name}</dt>
      <dd className="figures flex min-h-5.5 items-center wrap-anywhere [&_time]:whitespace-normal">
        {children ?? <Skeleton className="w-20" />}
      </dd>
    </div>
  );
}
