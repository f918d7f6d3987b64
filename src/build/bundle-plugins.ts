import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import type { Metafile, Plugin } from "esbuild";

const iconImport = /import \{([^}]*)\} from "lucide-react";/g;
const islandFile = /\/islands\/.*\.tsx?$/;

/**
 * Imports icons from their own files. Imported by name from lucide's index, the icons of all pages would be in one
 * chunk that every page loads.
 */
export function iconPlugin(root: string): Plugin {
  const files = filesByName(join(root, "node_modules/lucide-react/dist/esm/lucide-react.mjs"));
  return {
    name: "icons",
    setup({ onLoad }) {
      onLoad({ filter: islandFile }, ({ path }) => {
        const source = readFileSync(path, "utf8");
        if (!source.includes('from "lucide-react"')) return null;
        const contents = source.replace(iconImport, (_, names: string) => importsOf(names));
        return { contents, loader: extname(path) === ".tsx" ? "tsx" : "ts" };
      });
    },
  };

  function importsOf(names: string): string {
    const wanted = names.split(",").map((name) => name.trim());
    return wanted
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => {
        const [icon = "", alias = icon] = name.split(" as ");
        const file = files.get(icon);
        if (!file) throw new Error(`lucide-react has no icon ${icon}.`);
        return `import ${alias} from ${JSON.stringify(file)};`;
      })
      .join(" ");
  }
}

/** The index has a line for each icon: `export { default as KeyRound, … } from './icons/key-round.mjs';` */
function filesByName(index: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const [, names = "", file = ""] of readFileSync(index, "utf8").matchAll(
    /^export \{([^}]*)\} from '(\.\/icons\/[^']+)';$/gm,
  )) {
    for (const [, name = ""] of names.matchAll(/default as (\w+)/g)) files.set(name, join(dirname(index), file));
  }
  return files;
}

/** The most common ones. All 49,233 passwords of the package would be 222 kB gzipped, these are 38 kB. */
const passwordsMax = 10_000;

/** Shortens the list of common passwords, which a browser loads to estimate the strength of a new one. */
export function commonPasswordsPlugin(root: string): Plugin {
  const passwords = dictionary["passwords-common"]?.slice(0, passwordsMax);
  const whole = join(root, "node_modules/@zxcvbn-ts/language-common/dist/adjacencyGraphs.json.mjs");
  return {
    name: "common passwords",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@zxcvbn-ts\/language-common$/ }, ({ path }) => ({ path, namespace: "common-passwords" }));
      onLoad({ filter: /.*/, namespace: "common-passwords" }, () => ({
        contents: [
          `export { default as adjacencyGraphs } from ${JSON.stringify(whole)};`,
          `export const dictionary = { "passwords-common": ${JSON.stringify(passwords?.join(" "))}.split(" ") };`,
        ].join("\n"),
        resolveDir: root,
      }));
    },
  };
}

/** Parts that the shell or at least this share of the panel's screens loads are loaded by all of them. */
export const screensShareMin = 0.65;

/**
 * The parts of the islands that most of these scripts load. By default, esbuild makes a chunk for every combination of
 * scripts that load the same modules: fifty files a page, most of them one small module, which gzip hardly compresses.
 * Imported by every screen and every lazy part, they are one chunk, and the heaviest page is 8 kB lighter.
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
 * Imports the shared parts into each lazy part: those of the panel, or if the pages before the login load it too, such
 * as the toast, only the parts of every page.
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

/** These inputs and all that they import. */
function loadedBy(inputs: Metafile["inputs"], from: string[], kinds: string[]): Set<string> {
  const found = new Set(from);
  for (const input of found) {
    for (const { path, kind } of inputs[input]?.imports ?? []) if (kinds.includes(kind)) found.add(path);
  }
  return found;
}
