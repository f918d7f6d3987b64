import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { AssetManifest } from "../http/assets.ts";
import { bundleIslands } from "./islands.ts";
import { buildStyles, buildViewerStyles, cutFont } from "./styles.ts";

/** `bun run build:assets`: all files that the browser loads, hashed and precompressed, and their manifest. */
const root = join(import.meta.dir, "../..");
const folder = join(root, "build/assets");
const startedAt = performance.now();

/** Above this size brotli's best quality takes seconds and saves next to nothing. */
const bestEffortBytesMax = 500_000;
const compressWithBrotli = promisify(brotliCompress);
/** At its best, libdeflate saves a twentieth of what zlib needs. */
const bestGzip = { library: "libdeflate", level: 12 } as const;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const { font, licence } = await cutFont(root);
const fontName = hashedName("geist", "woff2", font);
const [islands, styles, swaggerStyles, swaggerScript] = await Promise.all([
  bundleIslands(root),
  buildStyles(root, { font: `/assets/${fontName}` }),
  buildViewerStyles(root, { font: `/assets/${fontName}` }),
  Bun.file(join(root, "node_modules/swagger-ui-dist/swagger-ui-bundle.js")).bytes(),
]);
const named = {
  styles: hashedName("styles", "css", styles),
  swaggerStyles: hashedName("swagger-ui", "css", swaggerStyles),
  swaggerScript: hashedName("swagger-ui", "js", swaggerScript),
};
const files = new Map([
  ...islands.files,
  [fontName, font],
  [`${fontName}.LICENSE.txt`, licence],
  [named.styles, styles],
  [named.swaggerStyles, swaggerStyles],
  [named.swaggerScript, swaggerScript],
]);
const manifest: AssetManifest = {
  scripts: islands.scripts,
  styles: `/assets/${named.styles}`,
  font: `/assets/${fontName}`,
  swagger: { styles: `/assets/${named.swaggerStyles}`, script: `/assets/${named.swaggerScript}` },
};

await Promise.all([...files].map(([name, content]) => compressInto(folder, name, content)));
await Bun.write(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2));
// For the bill of materials. It is outside the folder, which goes into the executable.
await Bun.write(join(root, "build/browser-report.json"), JSON.stringify(islands.report));

const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
console.log(
  `Built ${files.size} files for ${Object.keys(manifest.scripts).length} scripts into build/assets in ${seconds} s.`,
);

/** A name that changes with the content, so that the file may be cached for ever. */
function hashedName(name: string, extension: string, content: Uint8Array): string {
  return `${name}-${Bun.hash(content).toString(36).toUpperCase()}.${extension}`;
}

/** Writes a file uncompressed, as `.br` and as `.gz`. A font is compressed already. */
async function compressInto(folder: string, name: string, content: Uint8Array): Promise<void> {
  if (name.endsWith(".woff2")) return void (await Bun.write(join(folder, name), content));
  const quality = content.length > bestEffortBytesMax ? 8 : constants.BROTLI_MAX_QUALITY;
  const brotli = await compressWithBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  await Promise.all([
    Bun.write(join(folder, name), content),
    Bun.write(join(folder, `${name}.br`), brotli),
    Bun.write(join(folder, `${name}.gz`), Bun.gzipSync(new Uint8Array(content), bestGzip)),
  ]);
}
