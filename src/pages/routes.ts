import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { type Role, roles } from "../accounts/schema.ts";
import type { Now } from "../clock.ts";
import type { AssetManifest } from "../http/asset-manifest.ts";
import type { Keys } from "../keys/keys.ts";
import type { Orders } from "../orders/orders.ts";
import type { Resellers } from "../resellers/resellers.ts";
import type { Search } from "../search/search.ts";
import { entrancePaths, type PanelPath, panelPaths } from "./addresses.ts";
import { notFoundAnswer } from "./not-found.tsx";
import { renderEntrancePage, renderPanelPage } from "./render.tsx";
import { entrancePages, panelPages } from "./site.tsx";

const homeOf: Record<Role, string> = { admin: "/admin", reseller: "/reseller" };

/** The pages (rules.md: Redirects). `unknownPage` is for whoever answers a path that is no route. */
export function createPages({
  access: { viewerOf },
  resellers: { usernameOf },
  keys,
  orders,
  search,
  messagingLink,
  assets,
  now,
}: {
  access: Pick<Access, "viewerOf">;
  resellers: Pick<Resellers, "usernameOf">;
  keys: Pick<Keys, "isThere">;
  orders: Pick<Orders, "isThere">;
  search: Pick<Search, "prepare">;
  messagingLink: string | null;
  assets: AssetManifest;
  now: Now;
}) {
  const plugin = new Elysia({ name: "pages" });
  const hidden = { detail: { hide: true } };

  for (const path of entrancePaths) {
    plugin.get(
      path,
      async ({ request }) => {
        const viewer = await viewerOf(request);
        if (viewer) return redirect(homeOf[viewer.role]);
        return renderEntrancePage(entrancePages[path], { request, messagingLink, assets });
      },
      hidden,
    );
  }
  for (const path of Object.keys(panelPaths) as PanelPath[]) {
    plugin.get(
      path,
      async ({ request, params }) => {
        const viewer = await viewerOf(request);
        if (!viewer) return redirect("/");
        if (viewer.role !== panelPaths[path]) return redirect(homeOf[viewer.role]);
        if (!namesSomething(params ?? {})) return notFound();
        // Whoever is here may search next; a server that only verifies never reads those texts.
        search.prepare();
        const { id, username, role } = viewer;
        return renderPanelPage(panelPages[path], {
          request,
          params,
          // Its islands carry it to the browser, where the session's id is no script's business.
          viewer: { id, username, role },
          usernameOf,
          hasKey: (key) => keys.isThere(viewer, key),
          hasOrder: (order) => orders.isThere(viewer, order),
          renderedAtMs: now(),
          messagingLink,
          assets,
        });
      },
      hidden,
    );
  }
  return Object.assign(plugin, { unknownPage });

  /** Not found, unless it lies in the other role's area: whoever looks there is led home, whether there is such a page or not. */
  async function unknownPage(request: Request): Promise<Response> {
    const area = areaOf(new URL(request.url).pathname);
    // Who is signed in is nobody's to ask elsewhere, and a database that does not say so leaves the page as it is.
    const viewer = area && isReading(request) ? await viewerOf(request).catch(() => null) : null;
    return viewer && viewer.role !== area ? redirect(homeOf[viewer.role]) : notFound();
  }

  function notFound(): Response {
    return notFoundAnswer(assets);
  }
}

/** The role at or below whose home a path lies. */
function areaOf(pathname: string): Role | undefined {
  return roles.find((role) => pathname === homeOf[role] || pathname.startsWith(`${homeOf[role]}/`));
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

/** An id in a path that is no positive whole number is nobody's. */
function namesSomething({ id = "1" }: { id?: string }): boolean {
  return /^[1-9][0-9]{0,14}$/.test(id);
}
