import type { AssetManifest } from "../http/asset-manifest.ts";
import { addressesAskedEarly } from "./asked-early.ts";
import { renderDocument } from "./document.tsx";
import { EntranceLayout } from "./entrance-layout.tsx";
import { createIslandRenderer } from "./island-renderer.tsx";
import type { EntrancePage, PageRequest, PanelPage, PanelRequest } from "./page.ts";
import { panelBodyClass, panelLayout } from "./panel-layout.tsx";
import { freshNonce, pageAnswer } from "./policy.ts";

interface Asked {
  request: Request;
  /** Elysia leaves them out where the path has none. */
  params?: Record<string, string>;
  messagingLink: string | null;
  assets: AssetManifest;
}

interface AskedInPanel extends Asked, Pick<PanelRequest, "viewer" | "usernameOf" | "hasKey" | "hasOrder"> {
  renderedAtMs: number;
}

export function renderEntrancePage(page: EntrancePage, { request, params, messagingLink, assets }: Asked): Response {
  const nonce = freshNonce();
  const { island, names } = createIslandRenderer("entrance");
  const children = (
    <EntranceLayout heading={page.heading} description={page.description} needsScript={page.needsScript}>
      {page.content({ ...whatWasAsked(request, params), island, messagingLink })}
    </EntranceLayout>
  );
  return pageAnswer(renderDocument({ title: page.title, nonce, assets, scripts: names, children }), { nonce });
}

export async function renderPanelPage(
  page: PanelPage,
  { request, params, viewer, usernameOf, hasKey, hasOrder, renderedAtMs, messagingLink, assets }: AskedInPanel,
): Promise<Response> {
  const nonce = freshNonce();
  const { island, names, client } = createIslandRenderer("panel");
  let status = 200;
  const sayMissing = () => {
    status = 404;
  };
  const asked = whatWasAsked(request, params);
  const known = { viewer, usernameOf, hasKey, hasOrder };
  const screen = await page.screen({ ...asked, ...known, island, messagingLink, sayMissing });
  // The screen's islands have a script each, and those of the frame share one: so `names` is read before the frame adds its own.
  const scripts = ["frame", ...names];
  const children = panelLayout({
    island,
    viewer,
    renderedAtMs,
    path: asked.path,
    readsWithoutScript: page.readsWithoutScript,
    children: screen,
  });
  const html = renderDocument({
    title: page.title,
    nonce,
    assets,
    scripts,
    askedEarly: addressesAskedEarly(client),
    prefetch: `/${viewer.role}*`,
    bodyClass: panelBodyClass,
    children,
  });
  return pageAnswer(html, { nonce, status });
}

function whatWasAsked(
  request: Request,
  params: Record<string, string> = {},
): Omit<PageRequest, "island" | "messagingLink"> {
  const { pathname, search } = new URL(request.url);
  const cookie = (name: string) => new Bun.CookieMap(request.headers.get("cookie") ?? "").get(name);
  return { path: pathname, search, params, cookie };
}
