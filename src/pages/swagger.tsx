import type { AssetManifest } from "../http/asset-manifest.ts";
import { freshNonce, pageAnswer } from "./policy.ts";

/** Starts the viewer, which comes with swagger-ui-dist and is served by ourselves: nothing is loaded from elsewhere. */
const start = `SwaggerUIBundle({url:"/swagger/json",dom_id:"#documentation",deepLinking:true,tryItOutEnabled:false,validatorUrl:null})`;

/** /swagger, for integrators. Public, as the calls that game clients make are. */
export function swaggerPage({ swagger }: AssetManifest): Response {
  const nonce = freshNonce();
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Latchkey</title>
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${swagger.styles}">
</head>
<body>
<main id="documentation"></main>
<noscript>The API reference needs JavaScript. Its document is at <a href="/swagger/json">/swagger/json</a>.</noscript>
<script src="${swagger.script}" nonce="${nonce}"></script>
<script nonce="${nonce}">${start}</script>
</body>
</html>`;
  return pageAnswer(html, { nonce });
}
