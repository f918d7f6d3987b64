import { Coins, PanelLeft } from "lucide-react";
import type { Role } from "../../src/accounts/schema.ts";
import { Credits } from "./parts/credits.tsx";
import { type Destination, isCurrent, navigations } from "./parts/navigation.ts";
import { useSidebarChoice } from "./parts/sidebar-choice.ts";

/** Its labels follow its own width (a container query), whether that was chosen or came by itself. */
export default function Sidebar({ area, path }: { area: Role; path: string }) {
  const { expanded, toggle } = useSidebarChoice();
  const { first, rest } = navigations[area];
  return (
    <div className="flex h-full flex-col gap-1 overflow-y-auto p-3">
      {area === "reseller" && <AvailableCredits />}
      <nav aria-label={area === "admin" ? "Administrator" : "Reseller"} className="grid gap-1">
        <Links destinations={first} path={path} />
        <hr className="my-2 border-line" />
        <Links destinations={rest} path={path} />
      </nav>
      <button
        type="button"
        onClick={toggle}
        aria-expanded={expanded ?? undefined}
        title="Toggle sidebar"
        className={`mt-auto ${rowLook} text-faint hover:bg-hover hover:text-text`}
      >
        <PanelLeft aria-hidden size={18} className="shrink-0" />
        <span className={labelLook}>{expanded === false ? "Expand sidebar" : "Collapse sidebar"}</span>
      </button>
    </div>
  );
}

const rowLook =
  "flex min-h-(--hit) items-center justify-center gap-3 rounded-md px-2.5 font-medium transition-colors duration-150 @[8rem]:justify-start";
const labelLook = "sr-only @[8rem]:not-sr-only @[8rem]:truncate";

function Links({ destinations, path }: { destinations: Destination[]; path: string }) {
  return destinations.map(({ href, label, icon: Icon }) => (
    <a
      key={href}
      href={href}
      title={label}
      aria-current={isCurrent(href, path) ? "page" : undefined}
      className={`${rowLook} text-muted hover:bg-hover hover:text-text aria-[current]:bg-raised aria-[current]:text-text aria-[current]:*:first:text-brass`}
    >
      <Icon aria-hidden size={18} className="shrink-0" />
      <span className={labelLook}>{label}</span>
    </a>
  ));
}

function AvailableCredits() {
  return (
    <div className="mb-2 hidden rounded-lg border border-line bg-card p-3 @[8rem]:block">
      <p className="flex items-center gap-2 text-sm font-medium text-muted">
        <Coins aria-hidden size={16} className="text-brass" />
        Available Credits
      </p>
      <p className="mt-1 flex min-h-7 items-center text-xl font-semibold tracking-tight">
        <Credits />
      </p>
    </div>
  );
}
