import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FromNodePackageJson, License } from "@cyclonedx/cyclonedx-library/Contrib";
import { ComponentType, HashAlgorithm } from "@cyclonedx/cyclonedx-library/Enums";
import { Bom, Component, type ComponentRepository, SpdxLicense } from "@cyclonedx/cyclonedx-library/Models";
import { JSON as Json, JsonSerializer } from "@cyclonedx/cyclonedx-library/Serialize";
import { Spec1dot6 } from "@cyclonedx/cyclonedx-library/Spec";

/** Bun's parts, as in `process.versions`, with their licences, including parts that we do not use. */
const licencesInsideBun: Record<string, string> = {
  ares: "MIT",
  boringssl: "Apache-2.0",
  icu: "Unicode-3.0",
  libarchive: "BSD-2-Clause",
  libdeflate: "MIT",
  llhttp: "MIT",
  lolhtml: "BSD-3-Clause",
  lshpack: "MIT",
  mimalloc: "MIT",
  picohttpparser: "MIT",
  sqlite: "blessing",
  tinycc: "LGPL-2.1-or-later",
  usockets: "Apache-2.0",
  uwebsockets: "Apache-2.0",
  webkit: "LGPL-2.1-only",
  zlib: "Zlib",
  zstd: "BSD-3-Clause",
};

/** None of our packages has a compound licence. A person must check the first one that has. */
const licences = new License.Factories.LicenseFactory((text) => {
  throw new RangeError(`${text} is no licence by itself.`);
});
const builder = new FromNodePackageJson.Builders.ComponentBuilder(
  new FromNodePackageJson.Factories.ExternalReferenceFactory(),
  licences,
);

/**
 * The parts of the executable as CycloneDX 1.6 in JSON: the packages with their licences, their versions and checksums
 * from bun.lock and their dependencies, and Bun with its parts. Throws for a licence that SPDX does not know.
 */
export function billOfMaterials({
  root,
  packages,
  version,
  builtAt,
}: {
  root: string;
  packages: Set<string>;
  version: string;
  builtAt: Date;
}): string {
  const latchkey = new Component(ComponentType.Application, "latchkey", {
    version,
    bomRef: "latchkey",
    purl: `pkg:generic/latchkey@${version}`,
  });
  latchkey.licenses.add(new SpdxLicense("MIT"));
  const bun = bunAndItsParts();
  const bom = new Bom({ serialNumber: `urn:uuid:${Bun.randomUUIDv5(`latchkey@${version}`, "url")}` });
  bom.metadata.timestamp = builtAt;
  bom.metadata.component = latchkey;
  bom.components.add(bun);
  latchkey.dependencies.add(bun.bomRef);
  addPackages(bom.components, latchkey, { root, packages });
  const serializer = new JsonSerializer(new Json.Normalize.Factory(Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function addPackages(
  components: ComponentRepository,
  latchkey: Component,
  { root, packages }: { root: string; packages: Set<string> },
): void {
  const locked = lockedPackages(root);
  const made = new Map([...packages].map((folder) => [folder, packageComponent(root, folder, locked.of(folder))]));
  for (const [folder, component] of made) {
    components.add(component);
    for (const needed of locked.neededBy(folder)) {
      const other = made.get(needed);
      if (other) component.dependencies.add(other.bomRef);
    }
  }
  for (const folder of locked.neededByUs) {
    const component = made.get(folder);
    if (component) latchkey.dependencies.add(component.bomRef);
  }
}

function packageComponent(
  root: string,
  folder: string,
  { name, version, integrity }: { name: string; version: string; integrity: string },
): Component {
  const manifest = JSON.parse(readFileSync(join(root, "node_modules", folder, "package.json"), "utf8"));
  const component = builder.makeComponent({ ...manifest, name, version });
  if (!component) throw new Error(`${folder} has a package.json that names no package.`);
  component.licenses.clear();
  component.licenses.add(licences.makeSpdxLicense(manifest.license));
  component.purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  component.bomRef.value = `${component.purl}#${folder}`;
  const [algorithm, digest = ""] = integrity.split(/-(.*)/s);
  if (algorithm !== "sha512") throw new Error(`bun.lock has no SHA-512 of ${folder}.`);
  component.hashes.set(HashAlgorithm["SHA-512"], Buffer.from(digest, "base64").toString("hex"));
  return component;
}

function bunAndItsParts(): Component {
  const bun = partOf("bun", process.versions.bun ?? "", "MIT");
  bun.purl = `pkg:github/oven-sh/bun@bun-v${bun.version}`;
  for (const [name, licence] of Object.entries(licencesInsideBun)) {
    const version = process.versions[name];
    if (version === undefined) throw new Error(`Bun has no ${name} any more: update the list of its parts.`);
    const part = partOf(name, version, licence);
    bun.components.add(part);
    bun.dependencies.add(part.bomRef);
  }
  return bun;
}

function partOf(name: string, version: string, licence: string): Component {
  const component = new Component(ComponentType.Library, name, { version, bomRef: `inside:${name}@${version}` });
  component.licenses.add(licences.makeSpdxLicense(licence));
  return component;
}

interface Lockfile {
  workspaces: { "": Needs };
  /**
   * By their folders below `node_modules`, without the `node_modules` between them: name@version, registry, needs,
   * checksum.
   */
  packages: Record<string, [string, string, Needs, string]>;
}

interface Needs {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Reads bun.lock, by the packages' folders below `node_modules`. */
export function lockedPackages(root: string) {
  const { workspaces, packages } = Bun.JSONC.parse(readFileSync(join(root, "bun.lock"), "utf8")) as Lockfile;

  return {
    of(folder: string): { name: string; version: string; integrity: string } {
      const [id = "", , , integrity = ""] = packages[keyOf(folder)] ?? [];
      if (id === "") throw new Error(`bun.lock has no ${folder}.`);
      const at = id.lastIndexOf("@");
      return { name: id.slice(0, at), version: id.slice(at + 1), integrity };
    },
    /** Returns the folders of a package's dependencies. */
    neededBy(folder: string): string[] {
      const needs = packages[keyOf(folder)]?.[2] ?? {};
      return namesIn(needs).flatMap((name) => nearest(folder, name) ?? []);
    },
    /** The folders of our own dependencies. */
    neededByUs: namesIn(workspaces[""]),
  };

  /** Looks as Node does: in the package's own `node_modules`, then in those of the folders above. */
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

/** The part of esbuild's and Bun's reports that is read. */
export interface BundleReport {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

const packageOfPath = /.*?node_modules\/((?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*)\//;

/**
 * Returns the packages in the bundles, by their folders below `node_modules`, without those that the bundlers dropped
 * as unused.
 */
export function bundledPackages(...reports: BundleReport[]): Set<string> {
  const files = reports.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)),
  );
  const used = files.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return new Set(used.flatMap(([path]) => packageOfPath.exec(path)?.[1] ?? []));
}
