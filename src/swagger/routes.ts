import { type AnyElysia, Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { AssetManifest } from "../http/assets.ts";
import { openApiDocument } from "./document.ts";
import { swaggerPage } from "./page.ts";

/** `/swagger`, and the document that it shows. Public, as the calls that game clients make are. */
export function createSwagger({
  api,
  assets,
  access: { viewerOf },
}: {
  /** Puts every call of the API into an application. */
  api: (app: Elysia) => AnyElysia;
  assets: AssetManifest;
  access: Pick<Access, "viewerOf">;
}) {
  const hidden = { detail: { hide: true } };
  let document: ReturnType<typeof openApiDocument> | undefined;

  return new Elysia({ name: "swagger" })
    .get(
      "/swagger",
      async ({ request }) => {
        // A database that does not say who is signed in leaves the page as it is for everybody.
        const viewer = await viewerOf(request).catch(() => null);
        return swaggerPage(assets, viewer?.role ?? null);
      },
      hidden,
    )
    .get(
      "/swagger/json",
      () => {
        document ??= openApiDocument(api);
        return document;
      },
      hidden,
    );
}
