import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import type { LogoFile } from "../config/brand-settings.ts";
import { resourcePath } from "../config/program.ts";
import { Refusal } from "../core/refusal.ts";

/** The address of PANEL_LOGO. */
export const logoAddress = "/logo";

const yearSeconds = 31_536_000;
const publicMaxAgeSeconds = 3_600;

/** The smaller first; both were written when the assets were built. */
const encodings = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;

const contentTypes: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  woff2: "font/woff2",
};

/** Compressed by its own format. */
const isCompressed = (name: string) => name.endsWith(".woff2");

/** The manifest has the panel's name. */
const manifestName = "manifest.webmanifest";

/**
 * The files of `public` at their own names, without the SDKs (reference/sdk-routes.ts). Their `ETag` would be unquoted,
 * so they have none.
 */
export function createPublicFiles() {
  return staticPlugin({
    assets: resourcePath("public"),
    prefix: "/",
    alwaysStatic: true,
    etag: false,
    indexHTML: false,
    ignorePatterns: [manifestName, /\/public\/sdk\//],
    // With `etag: false` the plugin leaves its own `maxAge` out.
    headers: { "cache-control": `public, max-age=${publicMaxAgeSeconds}`, "x-content-type-options": "nosniff" },
    detail: { hide: true },
  });
}

/** The logo, as an image that runs no scripts, and the manifest of the installed panel. */
export function createBrandFiles({ name, logoFile }: { name: string; logoFile: LogoFile | null }) {
  const shipped = JSON.parse(readFileSync(resourcePath(`public/${manifestName}`), "utf8"));
  const icons = logoFile ? [{ src: logoAddress, sizes: "any", type: logoFile.type }] : shipped.icons;
  const manifest = JSON.stringify({ ...shipped, name, short_name: name, icons });
  const kept = { "cache-control": `public, max-age=${publicMaxAgeSeconds}`, "x-content-type-options": "nosniff" };
  const plugin = new Elysia({ name: "brand files" }).get(
    `/${manifestName}`,
    () => new Response(manifest, { headers: { ...kept, "content-type": "application/manifest+json" } }),
    { detail: { hide: true } },
  );
  if (!logoFile) return plugin;
  const headers = {
    ...kept,
    "content-type": logoFile.type,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  return plugin.get(logoAddress, () => new Response(logoFile.content, { headers }), { detail: { hide: true } });
}

/** The hashed files under `/assets/`, which a browser may keep for ever. */
export function createAssets() {
  const plugin = new Elysia({ name: "assets" });
  const folder = resourcePath("build/assets");
  let names: Set<string> | null = null;
  // One route for all of them: a hundred more would be compiled at every start.
  plugin.get(
    "/assets/:name",
    ({ params: { name }, request }) => {
      names ??= new Set(readdirSync(folder).filter((file) => extensionOf(file) in contentTypes));
      if (!names.has(name)) throw new Refusal("NOT_FOUND", "There is nothing at this address.");
      return hashedFile(folder, name, request);
    },
    { detail: { hide: true } },
  );
  return plugin;
}

function hashedFile(folder: string, name: string, request: Request): Response {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = isCompressed(name) ? undefined : encodings.find((each) => accepts(accepted, each.name));
  const headers = new Headers({
    "content-type": contentTypes[extensionOf(name)] as string,
    "cache-control": `public, max-age=${yearSeconds}, immutable`,
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
  if (encoding) headers.set("content-encoding", encoding.name);
  return new Response(Bun.file(join(folder, name + (encoding?.ending ?? ""))), { headers });
}

/** Whether an `Accept-Encoding` header names this encoding, or any, without ruling it out by `q=0`. */
export function accepts(header: string, encoding: string): boolean {
  const weights = new Map(
    header.split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

/** A page script: its own address, and the addresses that it imports before it can run. */
export interface ScriptEntry {
  file: string;
  imports: string[];
}

/** Written by `bun run build:assets`. Every address starts with `/assets/` and carries the hash of its content. */
export interface AssetManifest {
  scripts: Record<string, ScriptEntry>;
  styles: string;
  /** Loaded by the styles and preloaded by the pages. */
  font: string;
  swagger: { styles: string; script: string };
}

/** Throws if the assets have not been built. */
export function readAssetManifest(): AssetManifest {
  try {
    return JSON.parse(readFileSync(resourcePath("build/assets/manifest.json"), "utf8"));
  } catch (cause) {
    throw new Error("The browser's scripts are not built. Run `bun run build:assets` first.", { cause });
  }
}
