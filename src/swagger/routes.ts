import { type AnyElysia, Elysia } from "elysia";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { Access } from "../accounts/access.ts";
import type { Role } from "../accounts/schema.ts";
import { type AssetManifest, accepts } from "../http/assets.ts";
import { packed } from "../http/compression.ts";
import { etagOf, notModified } from "../http/response.ts";
import { freshNonce, pageResponse } from "../pages/response.ts";
import { Sdks } from "../pages/sdk-section.tsx";
import { samplePages } from "../reference/sample-pages.ts";
import { openApiDocument } from "./document.ts";

interface Dependencies {
  /** Adds all calls of the API to an application. */
  api: (app: Elysia) => AnyElysia;
  assets: AssetManifest;
  publicUrl: URL | null;
  access: Pick<Access, "viewerOf" | "addressOf">;
}

/** `/swagger` and the document that it shows. Public, like the calls of game clients. */
export function createSwagger({ api, assets, publicUrl, access: { viewerOf, addressOf } }: Dependencies) {
  const hidden = { detail: { hide: true } };
  let document: ReturnType<typeof packedDocument> | undefined;

  return new Elysia({ name: "swagger" })
    .get(
      "/swagger",
      async ({ request }) => {
        // If the database does not respond, the page is the same as for people who are not signed in.
        const viewer = await viewerOf(request).catch(() => null);
        const nonce = freshNonce();
        const html = swaggerPage(assets, viewer?.role ?? null, nonce);
        const by = viewer ?? ({ id: addressOf(request), role: "reseller" } as const);
        const { body, headers } = await packed(html, request, by);
        return pageResponse(body, { nonce, headers });
      },
      hidden,
    )
    .get(
      "/swagger/json",
      async ({ request, set }) => {
        document ??= packedDocument(api, publicUrl);
        const { json, gzipped, etag } = await document;
        const type = { "content-type": "application/json;charset=utf-8", vary: "Accept-Encoding" };
        const unchanged = notModified({ request, set }, etag);
        if (unchanged) return unchanged;
        const headers = { ...(set.headers as Record<string, string>), ...type };
        return accepts(request.headers.get("accept-encoding") ?? "", "gzip")
          ? new Response(gzipped, { headers: { ...headers, "content-encoding": "gzip" } })
          : new Response(json, { headers });
      },
      hidden,
    );
}

/**
 * The document as it is sent: strangers request it too, and serialising it takes more than a millisecond. As blobs,
 * because Bun copies other bodies for each response, and collects garbage three times as often.
 */
async function packedDocument(api: Dependencies["api"], publicUrl: URL | null) {
  const json = JSON.stringify(await openApiDocument(api, publicUrl));
  return { json: new Blob([json]), gzipped: new Blob([Bun.gzipSync(json)]), etag: etagOf(json) };
}

/**
 * The page for integrators. We serve its viewer, swagger-ui-dist, ourselves, so nothing is loaded from elsewhere.
 * `role` is that of the signed-in account: each public call links to its samples in that role's panel.
 */
function swaggerPage({ swagger, font }: AssetManifest, role: Role | null, nonce: string): string {
  const samples = role === null ? {} : samplePages[role];
  return `<!doctype html>
<html lang="en" class="dark-mode">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#0c0b0a">
<meta name="color-scheme" content="dark">
<title>API reference · Latchkey</title>
<style nonce="${nonce}">${transition}</style>
<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin="anonymous">
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${swagger.styles}">
</head>
<body>
<header>
<img src="/mark.svg" alt="" width="26" height="26">
<strong>Latchkey</strong>
<nav aria-label="Panel">${role === null ? "" : `<a href="/${role}/api">Samples</a>`}<a href="/">Back to the panel</a></nav>
</header>
<section class="sdks" aria-label="SDKs"><details><summary>SDKs in eight languages</summary>${renderToStaticMarkup(createElement(Sdks))}</details></section>
<div id="documentation"></div>
<noscript><p>The API reference needs JavaScript. Its document is at <a href="/swagger/json">/swagger/json</a>.</p></noscript>
<script src="${swagger.script}" nonce="${nonce}"></script>
<script nonce="${nonce}">${start(samples)}</script>
</body>
</html>`;
}

/**
 * The same transition as on the panel's pages. It is in the page itself because the browser must know it before the
 * styles are loaded: it reports a transition that only one of the two pages has as an error.
 */
const transition = "@view-transition{navigation:auto}";

/**
 * Starts the viewer, and fixes its accessibility: a link inside each button that opens a call, selects without a name,
 * an introduction without a landmark, and a missing level of headings. The addresses in `samples` are constants;
 * nothing of a request is among them.
 */
function start(samples: Record<string, string>): string {
  return `SwaggerUIBundle({
url:"/swagger/json",dom_id:"#documentation",deepLinking:true,tryItOutEnabled:false,validatorUrl:null,
plugins:[function(system){
var create=system.React.createElement,samples=${JSON.stringify(samples)};
function unseen(element,text){return create(element,{className:"unseen"},text)}
function around(element,props,first){return function(Original){return function(given){return create(element,props,first,create(Original,given))}}}
function samplesOf(id){return samples[id]?create("p",{className:"samples-link"},create("a",{href:samples[id]},"Samples in six languages")):null}
return{wrapComponents:{
DeepLink:function(){return function(props){return create("span",null,props.text)}},
ExamplesSelect:around("label",null,unseen("span","Example")),
InfoContainer:around("section",{"aria-label":"Introduction"}),
operations:around(system.React.Fragment,null,unseen("h2","Calls")),
parameters:function(Original){return function(given){return create(system.React.Fragment,null,samplesOf(given.operation.get("operationId")),create(Original,given))}}
}}
}]})`;
}
