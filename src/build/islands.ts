import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import type { ScriptEntry } from "../http/assets.ts";
import { commonPasswordsPlugin, iconPlugin, lazyPartsPlugin, screensShareMin, sharedParts } from "./bundle-plugins.ts";

/**
 * Every file in `islands/screens` and `islands/auth` becomes one script with the file's name. The files in
 * `islands/shell` are on every page of the panel, so they share one script, `shell`. A new screen needs no entry
 * anywhere.
 */
export async function bundleIslands(
  root: string,
): Promise<{ files: Map<string, Uint8Array>; scripts: Record<string, ScriptEntry>; report: Metafile }> {
  const entrances = islandsIn(root, "auth").map((name) => `script:${name}`);
  const screens = islandsIn(root, "screens").map((name) => `script:${name}`);
  // Only a finished build shows what the scripts share, so there are two builds.
  const { metafile: first } = await bundle(root, scriptSources(root, []), []);
  const shared = [...sharedParts(first, ["script:shell"]), ...sharedParts(first, screens, screensShareMin)];
  const onEveryPage = sharedParts(first, [...entrances, "script:shell"]);
  const lazyParts = lazyPartsPlugin(root, first, { entrances, inPanel: shared, onEveryPage });
  const { outputFiles, metafile } = await bundle(root, scriptSources(root, shared), [lazyParts]);
  const folder = join(root, "build/assets");
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [relative(folder, path), compiledAhead(path, contents)])),
    scripts: scriptsIn(metafile),
    report: metafile,
  };
}

/** For smaller files the comment costs more than it saves. */
const compiledAheadBytesMin = 10_000;

/**
 * With this comment Chromium compiles a script on another thread while it arrives, and not each function at its first
 * call, which saves 200 ms on a slow phone (https://v8.dev/blog/explicit-compile-hints). Other browsers ignore it.
 */
function compiledAhead(path: string, contents: Uint8Array): Uint8Array {
  if (!path.endsWith(".js") || contents.length < compiledAheadBytesMin) return contents;
  return Buffer.concat([Buffer.from("//# allFunctionsCalledOnLoad\n"), contents]);
}

function bundle(root: string, entries: Map<string, string>, plugins: Plugin[]) {
  return build({
    entryPoints: [...entries.keys()].map((name) => ({ in: `script:${name}`, out: name })),
    plugins: [
      ...plugins,
      scriptPlugin(root, entries),
      schemaPlugin(root),
      iconPlugin(root),
      commonPasswordsPlugin(root),
    ],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    // The scripts link to files with the licences, which would add a kilobyte to them.
    legalComments: "linked",
    write: false,
    metafile: true,
    outdir: join(root, "build/assets"),
    absWorkingDir: root,
    entryNames: "[name]-[hash]",
    chunkNames: "shared-[hash]",
    define: { "process.env.NODE_ENV": '"production"' },
    // Only older versions of React need the shim.
    alias: {
      "use-sync-external-store/shim": "use-sync-external-store",
      "use-sync-external-store/shim/index.js": "use-sync-external-store",
    },
  });
}

/**
 * The source of each script, which hydrates its islands, each as a separate root. Those of the panel also import what
 * is `shared`.
 */
function scriptSources(root: string, shared: string[]): Map<string, string> {
  const imports = shared.map((part) => `import "./${part}";`);
  const sources = new Map<string, string>();
  for (const name of islandsIn(root, "auth")) sources.set(name, hydration("auth", [name]));
  for (const name of islandsIn(root, "screens")) sources.set(name, hydration("screens", [name], imports));
  sources.set("shell", hydration("shell", islandsIn(root, "shell"), imports));
  return sources;
}

/** The files of a folder are islands, except tests. Their parts are in folders below. */
function islandsIn(root: string, folder: string): string[] {
  const files = new Bun.Glob("*.tsx").scanSync(join(root, "islands", folder));
  return [...files]
    .filter((file) => !file.includes(".test."))
    .map((file) => basename(file, ".tsx"))
    .sort();
}

function hydration(folder: string, names: string[], imports: string[] = []): string {
  const lines = names.flatMap((name, index) => [
    `import Island${index} from "./islands/${folder}/${name}.tsx";`,
    `hydrateIsland("${name}", Island${index}${folder === "auth" ? "" : ", PanelState"});`,
  ]);
  const state = folder === "auth" ? "" : 'import { PanelState } from "./islands/shell/root/panel-state.tsx";';
  return ['import { hydrateIsland } from "./islands/shell/root/mount.tsx";', state, ...imports, ...lines].join("\n");
}

function scriptPlugin(root: string, sources: Map<string, string>): Plugin {
  return {
    name: "scripts",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^script:/ }, ({ path }) => ({ path: path.slice("script:".length), namespace: "script" }));
      onLoad({ filter: /.*/, namespace: "script" }, ({ path }) => ({
        contents: sources.get(path) ?? "",
        loader: "ts",
        resolveDir: root,
      }));
    },
  };
}

/**
 * Removes schemas that no island uses. esbuild drops only what it can prove unused, so `src` is rewritten for the
 * browser: `Type`, an object with all builders of TypeBox (11 kB gzipped), is imported as a namespace, which loses its
 * unused builders, and each call that makes a schema is marked as pure, so that unused schemas are dropped.
 */
function schemaPlugin(root: string): Plugin {
  const typeImport = /import \{([^}]*?)\bType\b,?([^}]*)\} from "@sinclair\/typebox";/;
  const namespaceImport = 'import * as Type from "@sinclair/typebox"; import {$1$2} from "@sinclair/typebox";';
  const schemaCall = /(?<=^(?!\s*\/?[*/]).*)(?<![\w.])(Type\.\w+|oneOf|numberInText)(?=[<(])/gm;
  return {
    name: "schemas",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!path.startsWith(join(root, "src"))) return null;
        const source = readFileSync(path, "utf8");
        const contents = source.replace(typeImport, namespaceImport).replace(schemaCall, "/* @__PURE__ */ $1");
        return { contents, loader: "ts" };
      });
    },
  };
}

function scriptsIn({ outputs }: Metafile): Record<string, ScriptEntry> {
  const scripts: Record<string, ScriptEntry> = {};
  for (const [path, output] of Object.entries(outputs)) {
    if (!output.entryPoint?.startsWith("script:")) continue;
    const imports = staticImports(outputs, path, new Set());
    scripts[output.entryPoint.slice("script:".length)] = {
      file: addressOf(path),
      imports: [...imports].map(addressOf),
    };
  }
  return scripts;
}

function staticImports(outputs: Metafile["outputs"], path: string, found: Set<string>): Set<string> {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== "import-statement" || found.has(imported)) continue;
    found.add(imported);
    staticImports(outputs, imported, found);
  }
  return found;
}

function addressOf(path: string): string {
  return `/assets/${basename(path)}`;
}
