import { type AnyElysia, Elysia } from "elysia";
import type { AssetManifest } from "../http/asset-manifest.ts";
import { openApiDocument } from "./document.ts";
import { swaggerPage } from "./page.ts";

/** `/swagger`, and the document that it shows. Public, as the calls that game clients make are. */
export function createSwagger({ api, assets }: { api: AnyElysia; assets: AssetManifest }) {
  const hidden = { detail: { hide: true } };
  let document: ReturnType<typeof openApiDocument> | undefined;

  return new Elysia({ name: "swagger" })
    .get("/swagger", () => swaggerPage(assets), hidden)
    .get(
      "/swagger/json",
      () => {
        document ??= openApiDocument(api);
        return document;
      },
      hidden,
    );
}
