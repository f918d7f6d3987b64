import { useAtom } from "jotai";
import { Coins, LifeBuoy, PanelLeft } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import { profileNeeds } from "../api/calls/session.ts";
import { useRights } from "../runtime/rights.ts";
import { type SidebarChoice, sidebarAtom } from "../state/atoms.ts";
import { Credits } from "./parts/credits.tsx";
import { type Destination, useNavigation } from "./parts/navigation.ts";

/**
 * The labels follow the sidebar's width (a container query), whether chosen or automatic: next to the icons from 8rem
 * on, below them from 5rem, and under that as tips. Tips may overflow it, so it scrolls only where necessary.
 */
interface SidebarProps {
  area: Role;
  path: string;
  supportLink: string | null;
}

export default function Sidebar({ area, path, supportLink }: SidebarProps) {
  const { expanded, toggle } = useSidebarChoice();
  const { first, rest } = useNavigation(area);
  const toggleName = expanded === false ? "Expand sidebar" : "Collapse sidebar";
  return (
    <div className="flex h-full flex-col gap-1 px-3 @[5rem]:@max-[8rem]:px-1.5 py-3 [@media(max-height:36rem)]:overflow-x-hidden [@media(max-height:36rem)]:overflow-y-auto">
      {useRights().may(profileNeeds) && area === "reseller" && <AvailableCredits />}
      <nav aria-label={area === "admin" ? "Administrator" : "Reseller"} className="grid gap-1">
        <Links destinations={first} path={path} />
        {rest.length > 0 && <hr className="my-2 border-t border-line" />}
        <Links destinations={rest} path={path} />
      </nav>
      {supportLink && (
        <a
          href={supportLink}
          target="_blank"
          rel="noopener noreferrer"
          data-tip="Support"
          className="sidebar-row mt-auto text-muted hover:bg-hover hover:text-text"
        >
          <LifeBuoy size={18} className="shrink-0" />
          <span className={labelLook}>Support</span>
        </a>
      )}
      <button
        type="button"
        onClick={toggle}
        aria-expanded={expanded ?? undefined}
        data-tip={toggleName}
        // Hidden where the sidebar has to be narrow and has labels anyway.
        className={`${supportLink ? "" : "mt-auto"} sidebar-row pointer-coarse:max-[58.5rem]:hidden text-faint hover:bg-hover hover:text-text`}
      >
        <PanelLeft size={18} className="shrink-0" />
        <span className={labelLook}>{toggleName}</span>
      </button>
    </div>
  );
}

const labelLook = "sr-only @[5rem]:not-sr-only @[8rem]:truncate";

function Links({ destinations, path }: { destinations: Destination[]; path: string }) {
  return destinations.map(({ href, label, icon: Icon }) => (
    <a
      key={href}
      href={href}
      data-tip={label}
      aria-current={href === path ? "page" : undefined}
      className="sidebar-row text-muted hover:bg-hover hover:text-text aria-[current]:bg-raised aria-[current]:text-text aria-[current]:*:first:text-brass"
    >
      <Icon size={18} className="shrink-0" />
      <span className={labelLook}>{label}</span>
    </a>
  ));
}

function AvailableCredits() {
  return (
    <div className="mb-2 hidden rounded-lg border border-line bg-card p-3 @[8rem]:block">
      <p className="flex items-center gap-2 text-sm font-medium text-muted">
        <Coins size={16} />
        Available Credits
      </p>
      <p className="mt-1 flex min-h-7 items-center text-xl font-semibold tracking-tight">
        <Credits />
      </p>
    </div>
  );
}

/** Collapsed by itself from 768 to 1023 px (rules.md: Navigation). */
const wide = "(min-width: 1024px)";

/**
 * The sidebar's state and how to change it. CSS derives what is shown from the width and from `data-sidebar` on the
 * root element; the page's head sets that attribute before the first paint, so that nothing moves. `expanded` is null
 * until the width is known.
 */
function useSidebarChoice(): { expanded: boolean | null; toggle: () => void } {
  const [choice, setChoice] = useAtom(sidebarAtom);
  const isWide = useSyncExternalStore(
    followWidth,
    () => window.matchMedia(wide).matches,
    () => null,
  );
  useEffect(() => {
    document.documentElement.dataset.sidebar = choice;
  }, [choice]);
  const expanded = isWide === null ? null : choice === "expanded" || (isWide && choice === "auto");
  return { expanded, toggle: () => setChoice(choiceAfter(expanded !== true, isWide === true)) };
}

/** The automatic state is not a choice, and is not stored. */
function choiceAfter(expand: boolean, isWide: boolean): SidebarChoice {
  if (expand === isWide) return "auto";
  return expand ? "expanded" : "collapsed";
}

function followWidth(changed: () => void): () => void {
  const query = window.matchMedia(wide);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
