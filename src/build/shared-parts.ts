import { join } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/** From this share of the panel's screens on, a part that they load is loaded by all of them. */
const screensShareMin = 0.6;

/**
 * The parts of the islands that most screens load. Left alone, esbuild makes a chunk for every combination of scripts that load the same
 * modules: fifty files a page, most of them one small module, which gzip can do little for. Imported by every screen and every lazy part,
 * they come in one chunk, and the heaviest page is 4 kB lighter.
 */
export function sharedParts({ inputs }: Metafile, screens: string[]): string[] {
  const counts = new Map<string, number>();
  for (const screen of screens) {
    for (const part of loadedBy(inputs, [screen], ["import-statement"])) counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return [...counts]
    .filter(([part, count]) => part.startsWith("islands/") && count >= screens.length * screensShareMin)
    .map(([part]) => part);
}

/** Imports the shared parts into each lazy part, but for those of the pages before the login: a toast would bring the panel's parts along. */
export function lazyPartsPlugin(root: string, parts: string[], { inputs }: Metafile, entrances: string[]): Plugin {
  const beforeLogin = loadedBy(inputs, entrances, ["import-statement", "dynamic-import"]);
  const imports = parts.map((part) => `import "./${part}";`).join("\n");
  return {
    name: "lazy parts",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const part = join(resolveDir, path).slice(root.length + 1);
        return kind === "dynamic-import" && !beforeLogin.has(part) ? { path: part, namespace: "lazy" } : null;
      });
      onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({
        contents: `${imports}\nexport { default } from "./${path}";`,
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
