import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Plugin } from "esbuild";

const iconImport = /import \{([^}]*)\} from "lucide-react";/g;
const islandFile = /\/islands\/.*\.tsx?$/;

/**
 * An icon that is imported by name comes by way of lucide's index, and esbuild then puts the icons of all pages into one
 * chunk that every page loads. Imported from its own file, an icon goes only to the pages that show it.
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
