import type { ReactNode } from "react";

interface EntranceLayoutProps {
  heading: string;
  description: string;
  needsScript: string;
  children: ReactNode;
}

/** What stands around the two pages before the login: the mark, the page's one h1, and a card. */
export function EntranceLayout({ heading, description, needsScript, children }: EntranceLayoutProps) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-6 px-4 py-10">
      <div className="grid justify-items-center gap-4 text-center">
        <img src="/mark.svg" alt="Latchkey" width={52} height={52} />
        <div>
          <h1 className="text-xl font-semibold tracking-tight">{heading}</h1>
          <p className="mt-1.5 text-muted">{description}</p>
        </div>
      </div>
      <noscript>
        <p className="rounded-lg border border-edge bg-raised p-4 text-center">
          Latchkey needs JavaScript {needsScript}. Turn it on in your browser&rsquo;s settings, then load this page
          again.
        </p>
      </noscript>
      <div className="rounded-xl border border-line bg-card p-5 sm:p-6">{children}</div>
    </main>
  );
}
