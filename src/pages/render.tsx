import type { Query, QueryClient } from "@tanstack/react-query";
import { createStore } from "jotai";
import type { ComponentType, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { searchOf } from "../../islands/api/api.ts";
import { createQueryClient } from "../../islands/api/query.ts";
import PlayerKey from "../../islands/auth/player-key.tsx";
import { Boundary } from "../../islands/shell/root/boundary.tsx";
import { PanelState } from "../../islands/shell/root/panel-state.tsx";
import type { AssetManifest } from "../http/assets.ts";
import { type Language, languages } from "../languages/languages.ts";
import { renderDocument } from "./document.tsx";
import type {
  Brand,
  EntrancePage,
  EntranceRequest,
  PageRequest,
  PanelPage,
  PanelRequest,
  PlayerRequest,
  RenderIsland,
  Slots,
} from "./page.ts";
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
  brand: Brand;
  slots: Slots;
}

/** Blocks the thread for 2 to 5 ms. */
export function renderPage(request: PageRequest, surroundings: Surroundings): RenderedPage {
  if (request.area === "entrance") return renderEntrancePage(entrancePages[request.page], request, surroundings);
  if (request.area === "player") return renderPlayerPage(request, surroundings);
  if (request.area === "panel") return renderPanelPage(panelPages[request.page], request, surroundings);
  return renderNotFound(surroundings);
}

function renderEntrancePage(page: EntrancePage, request: EntranceRequest, surroundings: Surroundings): RenderedPage {
  const { island, names, failures } = createIslandRenderer("entrance");
  const children = (
    <EntranceLayout page={page} brand={surroundings.brand}>
      {page.content({ ...request, island })}
    </EntranceLayout>
  );
  return { html: renderDocument({ ...surroundings, title: page.title, scripts: names, children }), failures };
}

function renderPlayerPage({ language, result }: PlayerRequest, surroundings: Surroundings): RenderedPage {
  const { page, releases, direction } = languages[language];
  const shown = result && (result.found === null ? { ...result, key: surroundings.slots.key } : result);
  const { island, names, failures } = createIslandRenderer("entrance");
  const children = (
    <EntranceFrame brand={surroundings.brand} heading={page.title} description={page.lead}>
      <div className="rounded-xl border border-line bg-card p-5 sm:p-6">
        {island("player-key", PlayerKey, { language, texts: { page, releases }, shown })}
      </div>
      <LanguageSwitch language={language} label={page.language} />
    </EntranceFrame>
  );
  const html = renderDocument({
    ...surroundings,
    title: page.title,
    description: page.lead,
    language,
    direction,
    scripts: names,
    children,
  });
  return { html, failures };
}

/** Links, so that it works without scripts. */
function LanguageSwitch({ language, label }: { language: Language; label: string }) {
  return (
    <details className="mx-auto text-center">
      <summary className="inline-flex min-h-(--hit) cursor-pointer items-center px-2 text-sm text-muted underline hover:text-text">
        {`${label}: ${languages[language].name}`}
      </summary>
      <ul className="flex flex-wrap justify-center">
        {Object.entries(languages).map(([tag, { name, direction }]) => (
          <li key={tag}>
            <a
              href={`/k?lang=${tag}`}
              lang={tag}
              dir={direction}
              aria-current={tag === language ? "true" : undefined}
              className="inline-flex min-h-(--hit) items-center px-2 text-sm text-muted hover:text-text aria-[current]:text-text"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function renderPanelPage(page: PanelPage, request: PanelRequest, surroundings: Surroundings): RenderedPage {
  const { island, names, client, failures } = createIslandRenderer("panel", request.viewer.rights);
  const { id, renderedAt } = surroundings.slots;
  const screenRequest = { ...request, id, island };
  const given = (text: PanelPage["title"]) => (typeof text === "string" ? text : text(screenRequest));
  const screen = page.screen(screenRequest);
  // Each island of the screen has a script, and those of the frame share one, so `names` is read before the frame adds
  // to it.
  const scripts = ["shell", ...names];
  const children = panelLayout({
    island,
    brand: surroundings.brand,
    viewer: request.viewer,
    renderedAt,
    path: given(page.under ?? request.page),
    readsWithoutScript: page.readsWithoutScript,
    children: screen,
  });
  const html = renderDocument({
    ...surroundings,
    title: given(page.title),
    scripts,
    preloads: preloadAddresses(client),
    prefetch: `/${request.viewer.role}*`,
    bodyClass: panelBodyClass,
    rights: request.viewer.rights,
    children,
  });
  return { html, failures };
}

function renderNotFound(surroundings: Surroundings): RenderedPage {
  const html = renderDocument({
    ...surroundings,
    title: "Page Not Found",
    scripts: [],
    children: <NotFound brand={surroundings.brand} />,
  });
  return { html, failures: [] };
}

/** An island that could not be rendered, and why. */
interface IslandFailure {
  island: string;
  cause: string;
}

/**
 * Renders the islands of one page. Each is a separate tree, as in the browser, because `useId` counts from its tree's
 * root.
 */
function createIslandRenderer(kind: "entrance" | "panel", rights: PanelRequest["viewer"]["rights"] = null) {
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
          // biome-ignore lint/security/noDangerouslySetInnerHtml: React made this text and escaped its content.
          dangerouslySetInnerHTML={{ __html: rendered(name, <Island {...props} />) }}
        />
        <script
          type="application/json"
          data-props={name}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped below for a script element.
          dangerouslySetInnerHTML={{ __html: jsonInHtml(props) }}
        />
      </>
    );
  }

  /** An island that fails here is left empty for the browser to render. The rest of the page is not affected. */
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
      <PanelState client={client} store={store} rights={rights}>
        {content}
      </PanelState>
    );
  }
}

/** JSON that stays data inside a script element, whatever username is in it. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/**
 * The addresses that a page's islands fetch first, taken from the queries that rendering them created: a query's key is
 * the path of its call and the parameters. The page's head lists them, so that the browser fetches them at once and not
 * after the scripts.
 */
function preloadAddresses(client: QueryClient): string[] {
  return client
    .getQueryCache()
    .findAll({ predicate: isFetchedAtOnce })
    .map(({ queryKey: [path, query] }) => `${path}${searchOf(query as object | undefined)}`);
}

/** Data that comes with the page is not fetched: an unused preload would be taken for the response to a later call. */
function isFetchedAtOnce({ state, options }: Query): boolean {
  return state.data === undefined && (!("enabled" in options) || options.enabled !== false);
}

/** A page before the sign-in: what it needs, and a card. */
function EntranceLayout({ page, brand, children }: { page: EntrancePage; brand: Brand; children: ReactNode }) {
  return (
    <EntranceFrame brand={brand} heading={page.heading(brand.name)} description={page.description}>
      <noscript>
        <p className="rounded-lg border border-edge bg-raised p-4 text-center">
          This page needs JavaScript {page.needsScript}. Turn it on in your browser&rsquo;s settings, then reload the
          page.
        </p>
      </noscript>
      <div className="rounded-xl border border-line bg-card p-5 sm:p-6">{children}</div>
    </EntranceFrame>
  );
}

interface FrameProps {
  brand: Brand;
  heading: string;
  description: string;
  children: ReactNode;
}

/** The frame of the public pages: the logo and the page's only h1. */
function EntranceFrame({ brand, heading, description, children }: FrameProps) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-6 px-4 py-10">
      <div className="grid justify-items-center gap-4 text-center">
        <img src={brand.logo} alt={brand.name} width={52} height={52} className="object-contain" />
        <div>
          <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{heading}</h1>
          <p className="mt-1.5 text-muted">{description}</p>
        </div>
      </div>
      {children}
      {brand.supportLink && (
        <a
          href={brand.supportLink}
          target="_blank"
          rel="noopener noreferrer"
          className="mx-auto inline-flex min-h-(--hit) items-center px-2 text-sm text-muted hover:text-text"
        >
          Support
        </a>
      )}
    </main>
  );
}

/** The page for an unknown path (rules.md: Failed pages). */
function NotFound({ brand }: { brand: Brand }) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-108 content-center gap-6 px-4 py-10">
      <div className="rounded-xl border border-line bg-card p-6 text-center sm:p-8">
        <img src={brand.logo} alt="" width={44} height={44} className="mx-auto mb-5 object-contain opacity-60" />
        <h1 className="text-xl font-semibold tracking-tight">404 Page Not Found</h1>
        <p className="mt-2 text-muted">Did you forget to add the page to the router?</p>
        <a
          href="/"
          className="mt-6 inline-flex min-h-(--hit) items-center rounded-md border border-edge bg-raised px-3.5 font-medium hover:bg-hover"
        >
          Back to <span translate="no">{brand.name}</span>
        </a>
      </div>
    </main>
  );
}
