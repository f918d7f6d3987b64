import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { AssetManifest } from "../http/assets.ts";
import { bundleIslands } from "./islands.ts";
import { compressInto, hashedName } from "./precompress.ts";
import { buildStyles, buildViewerStyles, cutFont } from "./styles.ts";

/** `bun run build:assets`: all files that the browser loads, hashed and precompressed, and their manifest. */
const root = join(import.meta.dir, "../..");
const folder = join(root, "build/assets");
const startedAt = performance.now();

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
