import type { ReactNode } from "react";

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
}

/** A list is empty, or nothing matches: what that means, and the next step. */
export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {icon && (
        <span
          aria-hidden
          className="mb-4 grid size-11 place-items-center rounded-lg border border-line bg-raised text-muted"
        >
          {icon}
        </span>
      )}
      <p className="font-medium">{title}</p>
      {hint && <p className="mt-1 max-w-sm text-balance text-muted">{hint}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
