import { join } from "node:path";
import type { Metafile, Plugin } from "esbuild";

/** A part of the islands that so many of the panel's screens load is loaded by all of them. */
const screensShareMin = 0.6;

/**
 * esbuild makes a file of its own for what just these two scripts load, and one for those three: fifty files a page, most of
 * them with one small module, which gzip cannot make much smaller one by one. So what most screens load is imported by every screen and
 * by every part that comes late, and stands in one file. The heaviest page is 4 kB lighter for it.
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

/** Imports the shared parts into what comes late; not for the pages before the login, which would load the panel's parts for a toast. */
export function latePartsPlugin(root: string, parts: string[], { inputs }: Metafile, entrances: string[]): Plugin {
  const beforeLogin = loadedBy(inputs, entrances, ["import-statement", "dynamic-import"]);
  const imports = parts.map((part) => `import "./${part}";`).join("\n");
  return {
    name: "late parts",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const late = join(resolveDir, path).slice(root.length + 1);
        return kind === "dynamic-import" && !beforeLogin.has(late) ? { path: late, namespace: "late" } : null;
      });
      onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
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
