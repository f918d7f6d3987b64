import type { AssetManifest } from "../http/assets.ts";
import { addressesAskedEarly } from "./asked-early.ts";
import type { AskedEntrance, AskedInPanel, AskedPage } from "./asked-page.ts";
import { renderDocument } from "./document.tsx";
import { EntranceLayout } from "./entrance-layout.tsx";
import { createIslandRenderer, type IslandFailure } from "./island-renderer.tsx";
import { NotFound } from "./not-found.tsx";
import type { EntrancePage, PanelPage } from "./page.ts";
import { panelBodyClass, panelLayout } from "./panel-layout.tsx";
import { entrancePages, panelPages } from "./site.tsx";
import type { Slots } from "./slots.ts";

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
