import type { Query, QueryClient } from "@tanstack/react-query";
import { createStore } from "jotai";
import type { ComponentType, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { searchOf } from "../../islands/api/api.ts";
import { createQueryClient } from "../../islands/api/query.ts";
import { Boundary } from "../../islands/shell/root/boundary.tsx";
import { PanelState } from "../../islands/shell/root/panel-state.tsx";
import type { AssetManifest } from "../http/assets.ts";
import { renderDocument } from "./document.tsx";
import type { AskedEntrance, AskedInPanel, AskedPage, EntrancePage, PanelPage, RenderIsland, Slots } from "./page.ts";
import { panelBodyClass, panelLayout } from "./panel-layout.tsx";
import { entrancePages, panelPages } from "./site.tsx";

export interface RenderedPage {
  /** With its slots still to be filled. */
  html: string;
  /** The islands that could not be rendered. */
  failures: IslandFailure[];
}

/** What every page needs. */
export interface Surroundings {
  assets: AssetManifest;
  slots: Slots;
}

/** Blocks the thread for 2 to 5 ms. */
export function renderPage(asked: AskedPage, surroundings: Surroundings): RenderedPage {
  if (asked.area === "entrance") return renderEntrancePage(entrancePages[asked.page], asked, surroundings);
  if (asked.area === "panel") return renderPanelPage(panelPages[asked.page], asked, surroundings);
  return renderNotFound(surroundings);
}

function renderEntrancePage(page: EntrancePage, asked: AskedEntrance, surroundings: Surroundings): RenderedPage {
  const { island, names, failures } = createIslandRenderer("entrance");
  const children = (
    <EntranceLayout heading={page.heading} description={page.description} needsScript={page.needsScript}>
      {page.content({ ...asked, island })}
    </EntranceLayout>
  );
  return { html: renderDocument({ ...surroundings, title: page.title, scripts: names, children }), failures };
}

export function renderPanelPage(page: PanelPage, asked: AskedInPanel, surroundings: Surroundings): RenderedPage {
  const { island, names, client, failures } = createIslandRenderer("panel");
  const { id, renderedAt } = surroundings.slots;
  const screen = page.screen({ ...asked, id, island });
  // The screen's islands have a script each, and those of the frame share one: so `names` is read before the frame adds its own.
  const scripts = ["shell", ...names];
  const children = panelLayout({
    island,
    viewer: asked.viewer,
    renderedAt,
    path: asked.page.replace(":id", id),
    readsWithoutScript: page.readsWithoutScript,
    children: screen,
  });
  const html = renderDocument({
    ...surroundings,
    title: page.title,
    scripts,
    askedEarly: addressesAskedEarly(client),
    prefetch: `/${asked.viewer.role}*`,
    bodyClass: panelBodyClass,
    children,
  });
  return { html, failures };
}

function renderNotFound(surroundings: Surroundings): RenderedPage {
  const html = renderDocument({ ...surroundings, title: "Page Not Found", scripts: [], children: <NotFound /> });
  return { html, failures: [] };
}

/** An island that could not be rendered, and why. */
interface IslandFailure {
  island: string;
  cause: string;
}

/** Renders the islands of one page. Each is a tree of its own, as it is in the browser: `useId` counts from its tree's root. */
function createIslandRenderer(kind: "entrance" | "panel") {
  const names: string[] = [];
  const failures: IslandFailure[] = [];
  const client = createQueryClient();
  const store = createStore();
  const island: RenderIsland = renderIsland;
  return { island, names, failures, client };

  function renderIsland<Props extends object>(name: string, Island: ComponentType<Props>, props: Props): ReactNode {
    names.push(name);
    return (
      <>
        <div
          data-island={name}
          className="contents"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: React made this text, and escaped what is in it.
          dangerouslySetInnerHTML={{ __html: rendered(name, <Island {...props} />) }}
        />
        <script
          type="application/json"
          data-props={name}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped below for where it stands.
          dangerouslySetInnerHTML={{ __html: jsonInHtml(props) }}
        />
      </>
    );
  }

  /** An island that fails here is left empty, and the browser tries it from the start; the rest of the page lives. */
  function rendered(name: string, content: ReactNode): string {
    try {
      return renderToString(<Boundary>{kind === "panel" ? withState(content) : content}</Boundary>, {
        identifierPrefix: `${name}-`,
      });
    } catch (error) {
      failures.push({ island: name, cause: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      return "";
    }
  }

  function withState(content: ReactNode): ReactNode {
    return (
      <PanelState client={client} store={store}>
        {content}
      </PanelState>
    );
  }
}

/** JSON that stays data inside a script element, whatever somebody called himself. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/**
 * The addresses that a page's islands ask as soon as they live, read off the queries that rendering them made: a query is kept under the path of
 * its call, and what is asked beside it. The page's head names them, so that the browser asks at once, and not after the scripts have come.
 */
function addressesAskedEarly(client: QueryClient): string[] {
  return client
    .getQueryCache()
    .findAll({ predicate: isAskedAtOnce })
    .map(({ queryKey: [path, query] }) => `${path}${searchOf(query as object | undefined)}`);
}

/** What the page brings with it is not: an answer that nobody takes would be taken for that of the next call, however much later. */
function isAskedAtOnce({ state, options }: Query): boolean {
  return state.data === undefined && (!("enabled" in options) || options.enabled !== false);
}

interface EntranceLayoutProps {
  heading: string;
  description: string;
  needsScript: string;
  children: ReactNode;
}

/** What stands around the two pages before the login: the mark, the page's one h1, and a card. */
function EntranceLayout({ heading, description, needsScript, children }: EntranceLayoutProps) {
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

/** A path that is no route (rules.md: Failed pages). */
function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-6 px-4 py-10">
      <div className="rounded-xl border border-line bg-card p-6 text-center sm:p-8">
        <img src="/mark.svg" alt="" width={44} height={44} className="mx-auto mb-5 opacity-60" />
        <h1 className="text-xl font-semibold tracking-tight">404 Page Not Found</h1>
        <p className="mt-2 text-muted">Did you forget to add the page to the router?</p>
        <a
          href="/"
          className="mt-6 inline-flex min-h-(--hit) items-center rounded-md border border-edge bg-raised px-3.5 font-medium hover:bg-hover"
        >
          Back to Latchkey
        </a>
      </div>
    </main>
  );
}
