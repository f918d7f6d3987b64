import { ArrowLeft } from "lucide-react";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { useRights } from "../runtime/rights.ts";

export interface PageHeadingProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
}

/** The page's h1, its description and its actions. */
export function PageHeading({ title, description, actions, back }: PageHeadingProps) {
  return (
    <div className="mb-3 md:mb-6">
      {back && (
        <BackLink href={back.href} onClick={(event) => ledHere(event.currentTarget) && goBack(event)}>
          {back.label}
        </BackLink>
      )}
      {/* On a phone the button is next to the title; several, and on the narrowest any, follow the description. */}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 md:grid md:grid-cols-[minmax(12rem,1fr)_auto] md:gap-x-6">
        <h1 className="min-w-0 grow text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
        {actions && (
          <div className="flex flex-wrap gap-2 max-md:has-[>:nth-child(3)]:order-last max-md:[&_svg]:hidden max-[22.5rem]:order-last max-[22.5rem]:mt-1 max-[22.5rem]:*:px-2.5 md:col-start-2 md:row-span-2 md:row-start-1 md:justify-end md:self-end">
            {actions}
          </div>
        )}
        {description && (
          <p className="w-full max-w-2xl text-pretty text-muted md:col-start-1 md:row-start-2">{description}</p>
        )}
      </div>
    </div>
  );
}

/** Nothing where the viewer may not open the page that it leads to. */
export function BackLink({ children, ...rest }: ComponentProps<"a"> & { href: string }) {
  if (!useRights().mayOpen(rest.href)) return null;
  return (
    <a
      {...rest}
      className="-ml-1 mb-2 inline-flex min-h-(--hit-small) max-w-full items-center gap-1.5 rounded-sm px-1 text-muted hover:text-text"
    >
      <ArrowLeft size={16} className="shrink-0" />
      <span className="truncate">{children}</span>
    </a>
  );
}

/** Returns to the page that led here, as it was left. The browser's own Back would stay here after a jump within it. */
export function goBack(event: MouseEvent) {
  const cameFromPanel = document.referrer.startsWith(`${window.location.origin}/`);
  if (!cameFromPanel || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (window.history.length > 1 && window.location.hash === "") window.history.back();
  else window.location.assign(document.referrer);
}

/** Whether this page was opened from the one at this address, with more filters or without. */
function ledHere({ pathname, search }: HTMLAnchorElement): boolean {
  const from = URL.parse(document.referrer);
  const isThere = ([name, value]: [string, string]) => from?.searchParams.get(name) === value;
  return from?.pathname === pathname && [...new URLSearchParams(search)].every(isThere);
}
