import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Lockfile {
  workspaces: { "": Needs };
  /** By their folders below `node_modules`, without the `node_modules` between them: name@version, registry, needs, checksum. */
  packages: Record<string, [string, string, Needs, string]>;
}

interface Needs {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface LockedPackages {
  of(folder: string): { name: string; version: string; integrity: string };
  /** The folders of what a package imports by name. */
  neededBy(folder: string): string[];
  /** The folders of what package.json names. */
  neededByUs: string[];
}

/** What bun.lock says of the packages, each by its folder below `node_modules`. */
export function lockedPackages(root: string): LockedPackages {
  const { workspaces, packages } = Bun.JSONC.parse(readFileSync(join(root, "bun.lock"), "utf8")) as Lockfile;

  return {
    of(folder) {
      const [id = "", , , integrity = ""] = packages[keyOf(folder)] ?? [];
      if (id === "") throw new Error(`bun.lock has no ${folder}.`);
      const at = id.lastIndexOf("@");
      return { name: id.slice(0, at), version: id.slice(at + 1), integrity };
    },
    neededBy(folder) {
      const needs = packages[keyOf(folder)]?.[2] ?? {};
      return namesIn(needs).flatMap((name) => nearest(folder, name) ?? []);
    },
    neededByUs: namesIn(workspaces[""]),
  };

  /** As Node finds it: in the package's own `node_modules`, then in those of the folders above. */
  function nearest(folder: string, name: string): string | undefined {
    const above = folder.split("/node_modules/");
    const places = above.map((_, index) => [...above.slice(0, above.length - index), name].join("/node_modules/"));
    return [...places, name].find((place) => Object.hasOwn(packages, keyOf(place)));
  }
}

function keyOf(folder: string): string {
  return folder.replaceAll("/node_modules/", "/");
}

function namesIn({ dependencies, optionalDependencies, peerDependencies }: Needs): string[] {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}
