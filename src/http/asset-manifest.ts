import { readFileSync } from "node:fs";
import { resourcePath } from "../config/files.ts";

/** What one page script needs: its own address, and the addresses that it imports before it can run. */
export interface ScriptEntry {
  file: string;
  imports: string[];
}

/** Written by `bun run build:assets`. Every address starts with `/assets/` and carries the hash of its content. */
export interface AssetManifest {
  scripts: Record<string, ScriptEntry>;
  styles: string;
  /** Asked for by the styles, and preloaded by the pages. */
  font: string;
  swagger: { styles: string; script: string };
}

/** Read once, where the application is put together. Throws when the assets have not been built. */
export function readAssetManifest(): AssetManifest {
  try {
    return JSON.parse(readFileSync(resourcePath("build/assets/manifest.json"), "utf8"));
  } catch (cause) {
    throw new Error("The browser's scripts are not built. Run `bun run build:assets` first.", { cause });
  }
}
