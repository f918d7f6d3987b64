import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Role } from "../accounts/schema.ts";
import type { Now } from "../clock.ts";
import type { AssetManifest } from "../http/asset-manifest.ts";
import type { Resellers } from "../resellers/resellers.ts";
import { notFoundAnswer } from "./not-found.tsx";
import { renderEntrancePage, renderPanelPage } from "./render.tsx";
import { entrancePages, panelPages } from "./site.tsx";

const homeOf: Record<Role, string> = { admin: "/admin", reseller: "/reseller" };

/** The pages, with the redirect rules of section 2. `notFoundPage` is for whoever answers a path that is no route. */
export function createPages({
  access: { viewerOf },
  resellers: { usernameOf },
  messagingLink,
  assets,
  now,
}: {
  access: Pick<Access, "viewerOf">;
  resellers: Pick<Resellers, "usernameOf">;
  messagingLink: string | null;
  assets: AssetManifest;
  now: Now;
}) {
  const plugin = new Elysia({ name: "pages" });
  const hidden = { detail: { hide: true } };

  for (const page of entrancePages) {
    plugin.get(
      page.path,
      async ({ request }) => {
        const viewer = await viewerOf(request);
        return viewer ? redirect(homeOf[viewer.role]) : renderEntrancePage(page, { request, messagingLink, assets });
      },
      hidden,
    );
  }
  for (const page of panelPages) {
    plugin.get(
      page.path,
      async ({ request, params }) => {
        const viewer = await viewerOf(request);
        if (!viewer) return redirect("/");
        if (viewer.role !== page.role) return redirect(homeOf[viewer.role]);
        if (!namesSomething(params ?? {})) return notFoundPage();
        const { id, username, role } = viewer;
        return renderPanelPage(page, {
          request,
          params,
          // Its islands carry it to the browser, where the session's id is no script's business.
          viewer: { id, username, role },
          usernameOf,
          renderedAtMs: now(),
          messagingLink,
          assets,
        });
      },
      hidden,
    );
  }
  return Object.assign(plugin, { notFoundPage });

  async function notFoundPage(): Promise<Response> {
    return notFoundAnswer(assets);
  }
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

/** An id in a path that is no positive whole number is nobody's. */
function namesSomething({ id = "1" }: { id?: string }): boolean {
  return /^[1-9][0-9]{0,14}$/.test(id);
}
