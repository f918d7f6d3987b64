import type { ReactNode } from "react";
import BottomBar from "../../islands/shell/bottom-bar.tsx";
import Header from "../../islands/shell/header.tsx";
import Notices from "../../islands/shell/notices.tsx";
import Sidebar from "../../islands/shell/sidebar.tsx";
import { FullScreenSpinner } from "../../islands/ui/skeleton.tsx";
import type { SessionUser } from "../accounts/schema.ts";
import type { Brand, RenderIsland } from "./page.ts";

interface PanelLayoutProps {
  island: RenderIsland;
  brand: Brand;
  viewer: SessionUser;
  /** The page's own, or the item of the navigation that it marks. */
  path: string;
  renderedAt: string;
  readsWithoutScript?: boolean;
  children: ReactNode;
}

/**
 * The heights of the header with its notice and of a phone's bottom bar with its, for sticky parts below the one and above the
 * other.
 */
export const panelBodyClass =
  "[--sticky-top:calc(3.5rem+var(--notice,0px))] [--bottom-bar:calc(4rem+1px+env(safe-area-inset-bottom)+var(--lost,0px))]";

/**
 * The frame of both areas. The role decides what its islands show. Parts of every page have a view transition name, so
 * that they stay in place during a navigation.
 */
export function panelLayout({
  island,
  brand: { name, logo, supportLink },
  viewer,
  path,
  renderedAt,
  readsWithoutScript = false,
  children,
}: PanelLayoutProps): ReactNode {
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 rounded-md bg-brass px-4 py-2.5 font-medium text-on-brass not-focus:sr-only"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 h-14 border-b border-line bg-page [view-transition-name:header]">
        {island("header", Header, { user: viewer, path, name, logo })}
      </header>
      {island("notices", Notices, { user: viewer, renderedAt })}
      <div className="md:flex">
        <aside className={sidebarLook}>{island("sidebar", Sidebar, { area: viewer.role, path, supportLink })}</aside>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-360 min-w-0 px-4 pt-4 pb-28 outline-none md:pt-6 md:pb-10 min-[58.5rem]:px-6 lg:px-8 lg:pt-8"
        >
          {!readsWithoutScript && <NeedsScript />}
          {children}
        </main>
      </div>
      <div className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] [view-transition-name:bottom-bar] md:hidden">
        {island("bottom-bar", BottomBar, { user: viewer, path, supportLink })}
      </div>
      <SessionLoading />
    </>
  );
}

/**
 * Hidden below 768 px, collapsed up to 1023 px and expanded from 1024 px, unless a person chose otherwise in the last
 * two ranges. Touch has no tooltips, so there the collapsed sidebar is wide enough for names under the icons. Below
 * 58.5rem the expanded one is as narrow, because its full width would leave a list less room than its columns need.
 */
const sidebarLook = [
  "@container sticky top-(--sticky-top) z-15 hidden h-[calc(100dvh-var(--sticky-top))] shrink-0 border-r border-line [view-transition-name:sidebar]",
  "[--collapsed:4rem] pointer-coarse:[--collapsed:6rem] md:block md:w-(--collapsed) lg:w-60",
  "md:max-[58.5rem]:group-data-[sidebar=expanded]/root:w-24 min-[58.5rem]:max-lg:group-data-[sidebar=expanded]/root:w-60",
  "lg:group-data-[sidebar=collapsed]/root:w-(--collapsed)",
].join(" ");

/**
 * Shown if the islands wait longer than a second for the session (rules.md: Pages). Its animation makes it a stacking
 * context, which must be above the header and the bottom bar.
 */
function SessionLoading() {
  return (
    <div className="needs-script pointer-events-none fixed inset-0 z-70 animate-[appear_150ms_1s_both] group-data-[scripts=failed]/root:hidden group-data-[session=ready]/root:hidden">
      <FullScreenSpinner />
    </div>
  );
}

function NeedsScript() {
  return (
    <noscript>
      <p className="mb-6 rounded-lg border border-edge bg-raised p-4">
        This page needs JavaScript. Turn it on in your browser&rsquo;s settings, then reload the page.
      </p>
    </noscript>
  );
}
