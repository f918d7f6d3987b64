import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";

export interface PageHeadingProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
}

/** The page's one h1, what the page is for, and what can be done on it. */
export function PageHeading({ title, description, actions, back }: PageHeadingProps) {
  return (
    <div className="mb-6">
      {back && (
        <a
          href={back.href}
          className="-ml-1 mb-2 inline-flex min-h-(--hit-small) items-center gap-1.5 rounded-sm px-1 text-muted hover:text-text"
        >
          <ArrowLeft aria-hidden size={16} />
          {back.label}
        </a>
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {description && <p className="mt-1 max-w-2xl text-pretty text-muted">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2 max-md:w-full max-md:*:grow">{actions}</div>}
      </div>
    </div>
  );
}
