import type { AssetManifest } from "../http/asset-manifest.ts";
import { freshNonce, pageAnswer } from "../pages/policy.ts";

/**
 * The page for integrators. Its viewer comes with swagger-ui-dist and is served by ourselves: nothing is loaded from elsewhere. The way
 * back leads each person home.
 */
export function swaggerPage({ swagger }: AssetManifest): Response {
  const nonce = freshNonce();
  const html = `<!doctype html>
<html lang="en" class="dark-mode">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#0c0b0a">
<title>API reference · Latchkey</title>
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="${swagger.styles}">
<style nonce="${nonce}">${styles}</style>
</head>
<body>
<header>
<img src="/mark.svg" alt="Latchkey" width="26" height="26">
<span>API reference</span>
<a href="/">Back to the panel</a>
</header>
<div id="documentation"></div>
<noscript><p>The API reference needs JavaScript. Its document is at <a href="/swagger/json">/swagger/json</a>.</p></noscript>
<script src="${swagger.script}" nonce="${nonce}"></script>
<script nonce="${nonce}">${start}</script>
</body>
</html>`;
  return pageAnswer(html, { nonce });
}

/**
 * Starts the viewer. What a screen reader meets in it is put right here: a link inside each button that opens a call, selects without a
 * name, an introduction without a landmark, and a level of headings left out.
 */
const start = `SwaggerUIBundle({
url:"/swagger/json",dom_id:"#documentation",deepLinking:true,tryItOutEnabled:false,validatorUrl:null,
plugins:[function(system){
var create=system.React.createElement;
function unseen(element,text){return create(element,{className:"unseen"},text)}
function around(element,props,first){return function(Original){return function(given){return create(element,props,first,create(Original,given))}}}
return{wrapComponents:{
DeepLink:function(){return function(props){return create("span",null,props.text)}},
ExamplesSelect:around("label",null,unseen("span","Example")),
InfoContainer:around("section",{"aria-label":"Introduction"}),
operations:around(system.React.Fragment,null,unseen("h2","Calls"))
}}
}]})`;

/**
 * The viewer has styles of its own, into which the panel's would reach: only the header's stand here, and what the viewer lacks on the
 * panel's page colour and on a phone. What cannot work is hidden: no call has links, and no script can set the session's cookie,
 * which signing in to the panel sets.
 */
const styles = `
html{color-scheme:dark;background:#0c0b0a}
html.dark-mode,html.dark-mode body,html.dark-mode .swagger-ui{background:#0c0b0a}
body{margin:0;overflow-wrap:break-word}
.swagger-ui .opblock-tag.no-desc small,.swagger-ui .response-col_links{display:none}
.swagger-ui .scheme-container{display:none}
header{display:flex;align-items:center;gap:10px 12px;flex-wrap:wrap;padding:10px 20px;border-bottom:1px solid rgb(255 244 228/.09);color:#f3f0ea;font:600 16px/24px ui-sans-serif,system-ui,sans-serif}
header a{margin-left:auto;display:inline-flex;align-items:center;min-height:44px;color:#f0c776;font-weight:500;font-size:14px}
a:focus-visible,button:focus-visible,summary:focus-visible{outline:2px solid #e3b35a;outline-offset:2px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
noscript p{margin:24px 20px;color:#f3f0ea;font:14px/20px ui-sans-serif,system-ui,sans-serif}
noscript a{color:#f0c776}
@media (max-width:640px){
.swagger-ui .wrapper{padding:0 12px}
.swagger-ui .info{margin:24px 0}
.swagger-ui .opblock-tag{padding:10px 4px}
.swagger-ui .opblock .opblock-summary-method{min-width:64px;padding:6px 0;font-size:12px}
.swagger-ui .opblock-body pre,.swagger-ui .model-box{max-width:100%;overflow-x:auto}
.swagger-ui .parameters-container,.swagger-ui .responses-inner,.swagger-ui .opblock-description-wrapper{overflow-x:auto}
}`;
