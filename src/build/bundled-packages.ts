import { readFileSync } from "node:fs";

/** What is read of the files that esbuild and Bun write about a bundle. */
interface BundleReport {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

const packageOfPath = /.*?node_modules\/((?:@[^/]+\/)?[^/]+(?:\/node_modules\/(?:@[^/]+\/)?[^/]+)*)\//;

/**
 * The packages of which something ended up in a bundle, by their folders below `node_modules`. What a bundler dropped as unused does not
 * count.
 */
export function bundledPackages(...reports: string[]): Set<string> {
  const files = reports.flatMap((file) => {
    const { outputs } = JSON.parse(readFileSync(file, "utf8")) as BundleReport;
    return Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  });
  const used = files.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return new Set(used.flatMap(([path]) => packageOfPath.exec(path)?.[1] ?? []));
}
