import { join } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/** From this share of the panel's screens on, a part that they load is loaded by all of them. */
export const screensShareMin = 0.6;

/**
 * The parts of the islands that most of these scripts load, or all of them. Left alone, esbuild makes a chunk for every combination of
 * scripts that load the same modules: fifty files a page, most of them one small module, which gzip can do little for. Imported by every
 * screen and every lazy part, they come in one chunk, and the heaviest page is 4 kB lighter.
 */
export function sharedParts({ inputs }: Metafile, scripts: string[], shareMin = 1): string[] {
  const counts = new Map<string, number>();
  for (const script of scripts) {
    for (const part of loadedBy(inputs, [script], ["import-statement"])) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return [...counts]
    .filter(([part, count]) => part.startsWith("islands/") && count >= scripts.length * shareMin)
    .map(([part]) => part);
}

/**
 * Imports the shared parts into each lazy part: those of the panel, or where the pages before the login load it too, such as the toast,
 * only what is on every page.
 */
export function lazyPartsPlugin(
  root: string,
  { inputs }: Metafile,
  { entrances, inPanel, onEveryPage }: { entrances: string[]; inPanel: string[]; onEveryPage: string[] },
): Plugin {
  const beforeLogin = loadedBy(inputs, entrances, ["import-statement", "dynamic-import"]);
  const importsOf = (parts: string[]) => parts.map((part) => `import "./${part}";`).join("\n");
  return {
    name: "lazy parts",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const part = join(resolveDir, path).slice(root.length + 1);
        return kind === "dynamic-import" ? { path: part, namespace: "lazy" } : null;
      });
      onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({
        contents: `${importsOf(beforeLogin.has(path) ? onEveryPage : inPanel)}\nexport { default } from "./${path}";`,
        resolveDir: root,
      }));
    },
  };
}

/** Everything that comes with these, themselves among them. */
function loadedBy(inputs: Metafile["inputs"], from: string[], kinds: string[]): Set<string> {
  const found = new Set(from);
  for (const input of found) {
    for (const { path, kind } of inputs[input]?.imports ?? []) if (kinds.includes(kind)) found.add(path);
  }
  return found;
}
