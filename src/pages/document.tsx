import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { sidebarName } from "../../islands/state/atoms.ts";
import { Button } from "../../islands/ui/button.tsx";
import type { AssetManifest, ScriptEntry } from "../http/assets.ts";
import { type Brand, latchkey, type Rights, type Slots } from "./page.ts";

interface DocumentContent {
  title: string;
  /** For search engines. */
  description?: string;
  /** The language of the page and the direction in which it is read. */
  language?: string;
  direction?: "ltr" | "rtl";
  assets: AssetManifest;
  brand: Brand;
  slots: Slots;
  /** The names of the scripts that hydrate this page's islands. */
  scripts: string[];
  /**
   * What the islands fetch first. The browser fetches it together with the page, so that no list waits for the scripts.
   */
  preloads?: string[];
  /** The addresses that the browser fetches when the pointer rests on a link to them. */
  prefetch?: string;
  bodyClass?: string;
  /** Of the viewer, for the islands. */
  rights?: Rights;
  children: ReactNode;
}

/** The theme's `page` colour: what a browser paints around the page. */
const pageColor = "#0c0b0a";

/**
 * Runs before the first paint. It restores the sidebar and notes an invitation (auth/registration.tsx), so that nothing
 * moves, sets the theme to its default unless there is a setting, and notes scripts and styles that fail to load, which
 * nothing else on the page could report. Once the network is back, it requests them at another address, because browsers
 * do not retry a failed one. What they import has no other address, so the page is reloaded if its main part does not
 * work and nothing was typed, or if nothing works.
 */
const beforePaint = `((root)=>{
if(/[#&]token=./.test(location.hash))root.dataset.invited="";
let lost=[],tries=0,typed=false;
addEventListener("input",()=>{typed=true});
addEventListener("error",({target})=>{
if(!(target instanceof HTMLScriptElement)&&target.rel!=="stylesheet")return;
lost.push(target);root.dataset.scripts="failed"},true);
const retry=(part)=>{
const name=part.src?"src":"href",copy=document.createElement(part.localName);
copy.type=part.type;copy.rel=part.rel;copy[name]=part[name].split("?")[0]+"?again="+ ++tries;
copy.onload=()=>{lost=lost.filter((other)=>other!==part);if(!lost.length)delete root.dataset.scripts};
copy.onerror=()=>lost=lost.filter((other)=>other!==part);
part.replaceWith(copy)};
addEventListener("online",()=>{
if(!lost.length)return;
const dead=document.querySelector("main [data-island]:not([data-ready])");
if(dead&&!typed||!document.querySelector("[data-ready]"))location.reload();else lost.forEach(retry)});
addEventListener("click",({target})=>{if(target.closest?.("[data-reload]"))location.reload()});
try{if(!localStorage.getItem("theme"))localStorage.setItem("theme","system");
root.dataset.sidebar=localStorage.getItem("${sidebarName}")||"auto"}catch(refused){}
})(document.documentElement)`;

export function renderDocument({
  title,
  description,
  language = "en",
  direction,
  assets,
  brand,
  slots: { nonce },
  scripts,
  preloads = [],
  prefetch,
  bodyClass,
  rights,
  children,
}: DocumentContent): string {
  const entries = scripts.map((name) => entryNamed(assets, name));
  const markup = renderToStaticMarkup(
    // The script below may set attributes on this element, because it is never hydrated.
    <html
      lang={language}
      dir={direction}
      className="dark group/root data-[scripts=failed]:[--lost:3.75rem]"
      style={{ colorScheme: "dark" }}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{`${title} · ${brand.name}`}</title>
        <meta
          name="description"
          content={
            description ?? `${brand.name} issues license keys, counts devices and checks whether a key is valid.`
          }
        />
        <meta name="theme-color" content={pageColor} />
        <meta name="color-scheme" content="dark" />
        <link rel="preload" as="font" type="font/woff2" href={assets.font} crossOrigin="anonymous" />
        <link rel="stylesheet" href={assets.styles} />
        {preloads.map((address) => (
          <link key={address} rel="preload" as="fetch" href={address} crossOrigin="anonymous" />
        ))}
        {/* Nothing is painted before the whole page has arrived: half a header would move when the other half arrives. */}
        <link rel="expect" href="#page-end" blocking="render" />
        <Inline nonce={nonce} text={beforePaint} />
        <noscript>
          <style nonce={nonce}>{".needs-script{display:none!important}"}</style>
        </noscript>
        {brand.logo === latchkey.logo && <link rel="icon" href="/favicon.ico" sizes="32x32" />}
        <link rel="icon" href={brand.logo} />
        <link rel="apple-touch-icon" href={brand.logo === latchkey.logo ? "/icon-180.png" : brand.logo} />
        <link rel="manifest" href="/manifest.webmanifest" />
        {[...new Set(entries.flatMap(({ imports }) => imports))].map((address) => (
          <link key={address} rel="modulepreload" href={address} />
        ))}
        {entries.map(({ file }) => (
          <script key={file} type="module" src={file} nonce={nonce} />
        ))}
        {prefetch && <Inline nonce={nonce} type="speculationrules" text={prefetchRules(prefetch)} />}
      </head>
      <body className={bodyClass} data-rights={rights?.join(" ")}>
        {children}
        <ScriptsFailed />
      </body>
    </html>,
  );
  return `<!doctype html>${markup}`;
}

function Inline({ nonce, type, text }: { nonce: string; type?: string; text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: both texts are in this file and contain nothing of a request.
  return <script type={type} nonce={nonce} dangerouslySetInnerHTML={{ __html: text }} />;
}

/**
 * Shown when a script failed to load. Without it the page would look alive but not respond. It has a place at the end
 * of the page, and stays in view above a phone's bottom bar, to whose height `--lost` adds.
 */
function ScriptsFailed() {
  return (
    <div
      id="page-end"
      role="status"
      className="sticky bottom-[calc(var(--bottom-bar,var(--lost))-var(--lost))] z-20 hidden h-(--lost) items-center justify-center gap-4 border-t border-danger-line bg-overlay px-4 group-data-[scripts=failed]/root:flex md:bottom-0"
    >
      Part of this page could not be loaded.
      <Button data-reload="" size="small">
        Reload
      </Button>
    </div>
  );
}

/** Pages are fetched ahead but never run ahead, because islands open sockets and play sounds. */
function prefetchRules(addresses: string): string {
  return JSON.stringify({ prefetch: [{ where: { href_matches: addresses }, eagerness: "moderate" }] });
}

function entryNamed(assets: AssetManifest, name: string): ScriptEntry {
  const entry = assets.scripts[name];
  if (!entry) throw new Error(`There is no script named ${name}: does its island's file have that name?`);
  return entry;
}
